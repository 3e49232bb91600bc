#include "evaluate/sacrebleu/sacrebleu_metrics.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "heed/core/enum_names.h"
#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/chrf.h"
#include "heed/metrics/ter/ter.h"

namespace heed::apps {
namespace {

/// The language after the first dash of --language-pair; empty without the option.
std::string target_language(const SacreBleuArguments& arguments) {
  const std::string pair = arguments.language_pair.value_or("");
  const size_t dash = pair.find('-');
  return dash == std::string::npos ? "" : pair.substr(dash + 1, pair.find('-', dash + 1) - dash - 1);
}

struct LanguageTokenizer {
  std::string_view language;
  std::string_view tokenizer;
  std::string_view name;
};
constexpr LanguageTokenizer kLanguages[]{
    {"zh", "zh", "Chinese"}, {"ja", "ja-mecab", "Japanese"}, {"ko", "ko-mecab", "Korean"}};

std::string tokenizer_name(const SacreBleuArguments& arguments, const SacreBleuMessages& messages) {
  const std::string target = target_language(arguments);
  for (const auto& [language, tokenizer, name] : kLanguages) {
    if (target != language) continue;
    if (!arguments.bleu_tokenizer) return std::string(tokenizer);
    if (*arguments.bleu_tokenizer != tokenizer) {
      messages.warning(fmt::format("Consider using the '{}' or 'spm' tokenizer for {}.", tokenizer, name));
    }
  }
  return arguments.bleu_tokenizer.value_or("13a");
}

/// The path of the downloaded model for the tokenizer; absent if it needs no model.
std::optional<std::string> tokenizer_model(const std::string& tokenizer, const SacreBleuMessages& messages) {
  std::string file;
  if (tokenizer == "spm" || tokenizer == "flores101") file = "sacrebleu_tokenizer_spm.model";
  if (tokenizer == "flores200") file = "flores200sacrebleuspm";
  if (tokenizer == "spBLEU-1K") file = "spbleu-1k_tokenizer_spm.model";
  if (file.empty()) return std::nullopt;
  if (tokenizer == "spm") {
    messages.warning("Tokenizer 'spm' has been changed to 'flores101', and may be removed in the future.");
  }
  const char* folder = std::getenv("SACREBLEU");
  const char* home = std::getenv("HOME");
  const std::filesystem::path cache = folder ? folder : std::filesystem::path(home ? home : "") / ".sacrebleu";
  const std::string path = cache / "models" / file;
  if (std::filesystem::exists(path)) return path;
  messages.fail(
      fmt::format("The tokenizer {} needs the SentencePiece model {}, which is not there; models are not "
                  "downloaded: put it there, or name it with `--reference FILE --tokenizer-model FILE`.",
                  tokenizer, path));
}

metrics::BleuOptions bleu_options(const SacreBleuArguments& arguments, const SacreBleuMessages& messages) {
  metrics::BleuOptions options{.lowercase = arguments.bleu_lowercase, .effective_order = arguments.sentence_level};
  const std::string tokenizer = tokenizer_name(arguments, messages);
  options.tokenize = enum_value<metrics::BleuTokenizer>(tokenizer).value_or(options.tokenize);
  options.tokenizer_model = tokenizer_model(tokenizer, messages);
  const auto& value = arguments.bleu_smoothing_value;
  if (arguments.bleu_smoothing == "none") options.smooth = metrics::NoSmoothing{};
  if (arguments.bleu_smoothing == "floor") options.smooth = metrics::FloorSmoothing{value.value_or(0.1)};
  if (arguments.bleu_smoothing == "add-k") options.smooth = metrics::AddKSmoothing{value.value_or(1)};
  return options;
}

std::unique_ptr<const metrics::Metric> make_metric(const std::string& name, const SacreBleuArguments& arguments,
                                                   const SacreBleuMessages& messages) {
  if (name == "bleu") return std::make_unique<metrics::Bleu>(bleu_options(arguments, messages));
  if (name == "chrf") {
    return std::make_unique<metrics::Chrf>(metrics::ChrfOptions{.char_order = arguments.chrf_char_order,
                                                                .word_order = arguments.chrf_word_order,
                                                                .beta = arguments.chrf_beta,
                                                                .lowercase = arguments.chrf_lowercase,
                                                                .whitespace = arguments.chrf_whitespace,
                                                                .eps_smoothing = arguments.chrf_eps_smoothing});
  }
  return std::make_unique<metrics::Ter>(metrics::TerOptions{.normalized = arguments.ter_normalized,
                                                            .no_punct = arguments.ter_no_punctuation,
                                                            .asian_support = arguments.ter_asian_support,
                                                            .case_sensitive = arguments.ter_case_sensitive});
}

}  // namespace

std::vector<SacreBleuMetric> make_sacrebleu_metrics(const SacreBleuArguments& arguments,
                                                    const SacreBleuMessages& messages) {
  if (arguments.chrf_char_order < 0 || arguments.chrf_word_order < 0) {
    messages.fail("The orders of chrF's n-grams must be at least 0.");
  }
  std::vector<SacreBleuMetric> metrics;
  for (const std::string& name : arguments.metrics) {
    const bool known =
        std::ranges::any_of(metrics, [&name](const SacreBleuMetric& other) { return other.argument == name; });
    if (!known) metrics.push_back({name, make_metric(name, arguments, messages)});
  }
  return metrics;
}

}  // namespace heed::apps
