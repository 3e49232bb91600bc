#include "heed_torch/config/setup/resume_rules.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/command_line/option_list.h"
#include "heed/core/enum_names.h"
#include "heed/core/files/checksum.h"
#include "heed_torch/training/validation_search.h"

namespace heed::config {
namespace {

namespace fs = std::filesystem;

void add_options(ScoreOptions& terms, std::string_view section, const VisitOptions& walk) {
  for (const OptionValue& option : option_values(walk)) {
    terms.emplace_back(fmt::format("{}{}", section, option.name), fmt::format("{}", fmt::join(option.values, " ")));
  }
}

/// Whether a search keeps one hypothesis and ends with the first finished one: then scores rank nothing.
bool is_greedy(const search::SearchOptions& options) {
  const auto* stop = std::get_if<search::StopAtCount>(&options.stop);
  return options.beam == 1 && stop && search::stop_count(*stop, options.beam) == 1;
}

/// Resets options that have no effect on scores.
void drop_idle(TranslateOptions& options) {
  const translation::TranslatorOptions defaults;
  // How lines are batched changes at most the last digits of scores.
  options.translator.batch_sentences = defaults.batch_sentences;
  options.translator.batch_tokens = defaults.batch_tokens;
  options.translator.refill = defaults.refill;
  options.translator.read_ahead = defaults.read_ahead;
  options.translator.workers = defaults.workers;
  if (!is_greedy(options.search)) return;
  const search::SearchOptions greedy;
  options.search.length_penalty = greedy.length_penalty;
  options.search.word_reward = greedy.word_reward;
  options.search.coverage_penalty = greedy.coverage_penalty;
  options.search.stop = greedy.stop;
}

/// In validation_search() the beam is valid.beam.
void add_search(ScoreOptions& terms, const RunOptions& options, int64_t beam) {
  TranslateOptions used{.search = training::validation_search(options.search.search, beam),
                        .translator = options.search.translator};
  drop_idle(used);
  ScoreOptions of_search;
  add_options(of_search, "search.", visit_options(used));
  for (auto& [name, value] : of_search) {
    terms.emplace_back(name == "search.beam" ? "valid.beam" : std::move(name), std::move(value));
  }
}

/// How rows of pairs become validation text.
void add_rows(ScoreOptions& terms, const data::TextFormat& format) {
  terms.emplace_back("data.quotes", enum_name(format.quotes));
  terms.emplace_back("data.header", format.header ? "true" : "false");
  terms.emplace_back("data.bad-rows", enum_name(format.bad_rows));
}

/// What scores depend on of a tokenizer: its file's content, whatever the file is called. Of a folder its place.
std::string content_of(const std::string& tokenizer) {
  std::error_code refused;
  if (fs::is_regular_file(tokenizer, refused)) return sha256_of_file(tokenizer);
  const fs::path place = fs::canonical(tokenizer, refused);
  return refused ? tokenizer : place.string();
}

}  // namespace

ScoreOptions score_options(const RunOptions& options) {
  ScoreOptions terms;
  terms.emplace_back("data.context", std::visit([](const auto& context) { return std::string(context.kName); },
                                                options.data.stream.context));
  terms.emplace_back("valid.metric", enum_name(options.valid.metric));
  if (!options.valid_corpus.pairs.empty()) add_rows(terms, options.data.corpus.format);
  const auto* translated = std::get_if<training::TranslateValidText>(&options.valid.translate);
  if (!translated || !training::is_of_translations(options.valid.metric)) return terms;
  add_search(terms, options, translated->beam);
  if (options.valid.metric != training::ValidationMetric::Bleu) return terms;
  metrics::BleuOptions bleu = translated->bleu;
  if (bleu.tokenizer_model) bleu.tokenizer_model = content_of(*bleu.tokenizer_model);
  add_options(terms, "valid.", visit_options(bleu));
  return terms;
}

std::set<std::string> different_options(const ScoreOptions& before, const ScoreOptions& now) {
  const std::set<ScoreOptions::value_type> old_terms(before.begin(), before.end()), new_terms(now.begin(), now.end());
  ScoreOptions different;
  std::ranges::set_symmetric_difference(old_terms, new_terms, std::back_inserter(different));
  std::set<std::string> names;
  for (auto& term : different) names.insert(std::move(term.first));
  return names;
}

}  // namespace heed::config
