#include "heed/engine/engine_beam.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "heed/core/error.h"
#include "heed/text/tokenizer.h"

namespace heed::engine {
namespace {

Sources sources_of(std::span<const search::SourceSentence> sentences) {
  Sources sources;
  for (const search::SourceSentence& sentence : sentences) sources.add(sentence.ids);
  return sources;
}

/// Adds the tokens of required phrases and the prefix. list: ascending.
void add_tokens_of(const search::SentenceConstraints& constraints, std::vector<int32_t>& list) {
  list.insert(list.end(), constraints.prefix.begin(), constraints.prefix.end());
  for (const search::RequiredPhrase& phrase : constraints.required) {
    for (const text::Ids& form : phrase.forms) list.insert(list.end(), form.begin(), form.end());
  }
  std::ranges::sort(list);
  const auto again = std::ranges::unique(list);
  list.erase(again.begin(), again.end());
}

}  // namespace

EngineBeam::EngineBeam(const Engine& engine, const text::ShortList* short_list)
    : engine_(engine), short_list_(short_list), run_(engine), output_(engine.precision()) {}

void EngineBeam::start(std::span<const search::SourceSentence> sources, int64_t beam, bool attention) {
  attention_ = attention;
  run_.start(sources_of(sources), beam, attention);
  lists_.clear();
  add_lists(sources);
}

void EngineBeam::join(std::span<const search::SourceSentence> sources) {
  run_.join(sources_of(sources));
  add_lists(sources);
}

void EngineBeam::add_lists(std::span<const search::SourceSentence> sources) {
  if (short_list_ == nullptr) return;
  for (const search::SourceSentence& source : sources) {
    std::vector<int32_t> list = short_list_->tokens_for(source.ids);
    if (source.constraints != nullptr) add_tokens_of(*source.constraints, list);
    lists_.push_back(std::move(list));
  }
}

void EngineBeam::select(std::span<const int64_t> sentences, std::span<const int32_t> parents) {
  run_.select(sentences, parents);
  if (short_list_ == nullptr) return;
  std::vector<std::vector<int32_t>> kept;
  for (const int64_t sentence : sentences) kept.push_back(std::move(lists_[static_cast<size_t>(sentence)]));
  lists_ = std::move(kept);
}

/// Selects the live hypotheses; the model computes no others.
void EngineBeam::take_live(const search::StepRequest& request) {
  live_.assign(request.live.begin(), request.live.end());
  if (live_.empty()) live_.assign(request.ends.size(), run_.beam());
  beam_rows_.clear();
  tokens_.clear();
  for (size_t sentence = 0; sentence < live_.size(); ++sentence) {
    const int64_t first = static_cast<int64_t>(sentence) * run_.beam();
    for (int64_t row = first; row < first + live_[sentence]; ++row) {
      beam_rows_.push_back(row);
      tokens_.push_back(request.tokens[static_cast<size_t>(row)]);
    }
  }
}

TopKRules EngineBeam::rules_for(const search::StepRequest& request) {
  barred_ = {text::kPad};
  if (!request.unknown) barred_.push_back(text::kUnk);
  barred_.insert(barred_.end(), {text::kBos, text::kEos});
  without_end_.clear();
  for (size_t sentence = 0; sentence < live_.size(); ++sentence) {
    const bool barred = request.ends[sentence] == search::End::Barred;
    without_end_.insert(without_end_.end(), static_cast<size_t>(live_[sentence]), barred ? 1 : 0);
  }
  TopKRules rules{.count = request.count,
                  .barred = std::span(barred_).first(barred_.size() - 1),
                  .barred_and_end = barred_,
                  .end = text::kEos,
                  .without_end = without_end_};
  if (request.barred != nullptr) add_lists_to(rules, request);
  return rules;
}

/// The token lists of the computed hypotheses.
void EngineBeam::add_lists_to(TopKRules& rules, const search::StepRequest& request) {
  barred_lists_.clear();
  asked_.clear();
  std::vector<int32_t> barred;
  for (size_t row = 0; row < beam_rows_.size(); ++row) {
    const auto beam_row = static_cast<size_t>(beam_rows_[row]);
    const auto of_all = without_end_[row] != 0 ? rules.barred_and_end : rules.barred;
    const auto own = request.barred->of(beam_row);
    barred.clear();
    std::ranges::set_union(of_all, own, std::back_inserter(barred));
    barred_lists_.add(barred);
    asked_.add(request.asked->of(beam_row));
  }
  rules.barred_of = &barred_lists_;
  rules.asked = &asked_;
}

void EngineBeam::step(const search::StepRequest& request, search::Continuations& found) {
  take_live(request);
  const Rows& hidden = run_.step(tokens_, live_);
  if (attention_) keep_attention(request, found);
  if (request.rows != nullptr) return give_rows(hidden, *request.rows);
  const TopKRules rules = rules_for(request);
  if (short_list_ == nullptr) {
    engine_.output().top_k(hidden, rules, output_, best_);
  } else {
    engine_.output().top_k(hidden, lists_, live_, rules, output_, best_);
  }
  keep_best(request, found);
}

void EngineBeam::give_rows(const Rows& hidden, const search::LogProbabilityCallback& take) {
  check(short_list_ == nullptr, "a shortlist has no row of all tokens");
  engine_.output().for_each_row(hidden, output_, [&](int64_t row, std::span<float> log_probabilities) {
    take(static_cast<size_t>(beam_rows_[static_cast<size_t>(row)]), log_probabilities);
  });
}

void EngineBeam::keep_attention(const search::StepRequest& request, search::Continuations& found) {
  found.columns = run_.columns();
  found.attention.assign(request.tokens.size() * static_cast<size_t>(found.columns), 0);
  const float* row = run_.attention().data();
  for (const int64_t beam_row : beam_rows_) {
    std::copy_n(row, found.columns, found.attention.begin() + beam_row * found.columns);
    row += found.columns;
  }
}

void EngineBeam::keep_asked(const search::StepRequest& request, search::Continuations& found) const {
  found.asked.clear();
  if (request.asked == nullptr) return;
  found.asked.assign(request.asked->all().size(), -std::numeric_limits<float>::infinity());
  for (size_t row = 0; row < beam_rows_.size(); ++row) {
    const auto from = best_.asked.begin() + static_cast<std::ptrdiff_t>(asked_.begin(row));
    const auto to = request.asked->begin(static_cast<size_t>(beam_rows_[row]));
    std::copy_n(from, asked_.of(row).size(), found.asked.begin() + static_cast<std::ptrdiff_t>(to));
  }
}

/// Stores the best tokens. Hypotheses that were not computed get no next token.
void EngineBeam::keep_best(const search::StepRequest& request, search::Continuations& found) const {
  const size_t rows = request.tokens.size();
  found.log_probabilities.assign(rows * static_cast<size_t>(request.count), -std::numeric_limits<float>::infinity());
  found.tokens.assign(found.log_probabilities.size(), text::kPad);
  found.ends_by_itself.assign(rows, 0);
  keep_asked(request, found);
  for (size_t row = 0; row < beam_rows_.size(); ++row) {
    const auto beam_row = static_cast<size_t>(beam_rows_[row]);
    const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(row) * request.count;
    const std::ptrdiff_t to = beam_rows_[row] * request.count;
    std::copy_n(best_.tokens.begin() + from, request.count, found.tokens.begin() + to);
    if (request.ends[beam_row / static_cast<size_t>(run_.beam())] == search::End::Forced) {
      force_end(row, beam_row, request.count, found);
    } else {
      std::copy_n(best_.log_probabilities.begin() + from, request.count, found.log_probabilities.begin() + to);
    }
  }
}

/// Replaces the next tokens by end-of-sentence only.
void EngineBeam::force_end(size_t row, size_t beam_row, int64_t count, search::Continuations& found) const {
  const size_t first = beam_row * static_cast<size_t>(count);
  found.ends_by_itself[beam_row] = found.tokens[first] == text::kEos ? 1 : 0;
  found.log_probabilities[first] = best_.of_end[row];
  found.tokens[first] = text::kEos;
}

}  // namespace heed::engine
