#include "evaluate/sacrebleu/sacrebleu_input.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "evaluate/evaluation.h"
#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/text/python_notation.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/ter/ter.h"

namespace heed::apps {
namespace {

LineReader reader_of(const std::string& path, const std::string& encoding) {
  LineReader reader(path, InvalidText::Fail, "", encoding);
  reader.keep_byte_order_mark();  // as sacreBLEU does
  return reader;
}

/// Reads lines with Python's universal newlines, so CR without LF also ends a line. Empty input has one empty line.
std::vector<std::string> read_standard_input(const std::string& encoding) {
  LineReader reader = reader_of("-", encoding);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) {
    for (const std::string& part : split(line, '\r')) lines.emplace_back(strip_right(part));
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

Systems systems_of_standard_input(const SacreBleuArguments& arguments, const SacreBleuMessages& messages) {
  Systems systems;
  for (const std::string& line : read_standard_input(arguments.encoding)) {
    const std::vector<std::string> fields = split(line, '\t');
    if (systems.lines.empty()) systems.lines.resize(fields.size());
    if (fields.size() != systems.lines.size()) {
      messages.fail("FATAL: the number of tab-delimited fields in the input stream differ across lines.", 17);
    }
    const bool first_line = systems.lines[0].empty();  // fields of the first line keep their trailing white space
    for (size_t i = 0; i < fields.size(); ++i) {
      systems.lines[i].emplace_back(first_line ? fields[i] : strip_right(fields[i]));
    }
  }
  for (size_t i = 0; i < systems.lines.size(); ++i) {
    const bool baseline = arguments.paired() && i == 0;
    systems.names.push_back(baseline ? "Baseline" : fmt::format("System {}", arguments.paired() ? i : i + 1));
  }
  return systems;
}

Systems systems_of_files(const SacreBleuArguments& arguments, const SacreBleuMessages& messages) {
  Systems systems;
  for (const std::string& path : *arguments.systems) {
    const bool known = std::ranges::find(systems.names, path) != systems.names.end();
    if (known && arguments.paired() && path == systems.names[0]) {
      messages.information(fmt::format("Ignoring {} as it was also given as the baseline.", python_repr(path)));
      continue;
    }
    if (known) {
      messages.warning(python_repr(path) + " already used to name a system.");
      messages.fail("Make sure to have a different basename for each system.");
    }
    systems.names.push_back(path);
    systems.lines.push_back(stripped_lines(reader_of(path, arguments.encoding)));
  }
  if (arguments.paired()) {
    if (systems.names.empty()) messages.fail("No system is given behind -i.");
    systems.names[0].insert(0, "Baseline: ");
  }
  return systems;
}

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
    if (!arguments.tokenizer) return std::string(tokenizer);
    if (*arguments.tokenizer != tokenizer) {
      messages.warning(fmt::format("Consider using the '{}' or 'spm' tokenizer for {}.", tokenizer, name));
    }
  }
  return arguments.tokenizer.value_or("13a");
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
  metrics::BleuOptions options = arguments.bleu;
  options.effective_order = arguments.sentence_level;
  const std::string tokenizer = tokenizer_name(arguments, messages);
  options.tokenize = enum_value<metrics::BleuTokenizer>(tokenizer).value_or(options.tokenize);
  options.tokenizer_model = tokenizer_model(tokenizer, messages);
  const auto& value = arguments.smoothing_value;
  if (arguments.smoothing == "none") options.smooth = metrics::NoSmoothing{};
  if (arguments.smoothing == "floor") options.smooth = metrics::FloorSmoothing{value.value_or(0.1)};
  if (arguments.smoothing == "add-k") options.smooth = metrics::AddKSmoothing{value.value_or(1)};
  return options;
}

}  // namespace

std::vector<std::vector<std::string>> read_sacrebleu_references(const SacreBleuArguments& arguments,
                                                                const SacreBleuMessages& messages) {
  const int64_t fields = arguments.tab_references;
  const auto count = std::max(static_cast<int64_t>(arguments.references.size()), fields);
  std::vector<std::vector<std::string>> references(static_cast<size_t>(count));
  for (size_t r = 0; r < arguments.references.size(); ++r) {
    std::vector<std::string> lines = stripped_lines(reader_of(arguments.references[r], arguments.encoding));
    if (fields == 1) {
      references[r] = std::move(lines);
      continue;
    }
    for (size_t i = 0; i < lines.size(); ++i) {
      const std::vector<std::string> parts = split(lines[i], '\t', fields - 1);
      if (static_cast<int64_t>(parts.size()) != fields) {
        messages.fail(fmt::format("FATAL: line {}: expected {} fields, but found {}.", i + 1, fields, parts.size()),
                      17);
      }
      for (size_t k = 0; k < parts.size(); ++k) references[k].push_back(parts[k]);
    }
  }
  return references;
}

Systems read_sacrebleu_systems(const SacreBleuArguments& arguments, const SacreBleuMessages& messages) {
  return arguments.systems ? systems_of_files(arguments, messages) : systems_of_standard_input(arguments, messages);
}

std::vector<std::unique_ptr<const metrics::Metric>> make_sacrebleu_metrics(const SacreBleuArguments& arguments,
                                                                           const std::vector<std::string>& names,
                                                                           const SacreBleuMessages& messages) {
  if (arguments.chrf.char_order < 0 || arguments.chrf.word_order < 0) {
    messages.fail("The orders of chrF's n-grams must be at least 0.");
  }
  std::vector<std::unique_ptr<const metrics::Metric>> made;
  for (const std::string& name : names) {
    if (name == "bleu") made.push_back(std::make_unique<metrics::Bleu>(bleu_options(arguments, messages)));
    if (name == "chrf") made.push_back(std::make_unique<metrics::Chrf>(arguments.chrf));
    if (name == "ter") made.push_back(std::make_unique<metrics::Ter>(arguments.ter));
  }
  return made;
}

}  // namespace heed::apps
