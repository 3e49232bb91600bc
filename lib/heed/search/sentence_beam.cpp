#include "heed/search/sentence_beam.h"

#include <algorithm>

#include "heed/search/coverage.h"
#include "heed/search/phrases.h"
#include "heed/text/tokenizer.h"

namespace heed::search {
namespace {

int64_t prompt_of(const SentenceConstraints* constraints) {
  return constraints && constraints->prompt ? std::ssize(constraints->prefix) : 0;
}

int64_t limit_of(int64_t source_tokens, const SearchOptions& options, const SentenceConstraints* constraints) {
  const int64_t length = std::max(max_length(options, source_tokens), options.min_length);
  return std::max(prompt_of(constraints) + length, constraints ? constraints->tokens() : 0);
}

/// The candidates of each step that lead to `last`, which follows `length` tokens and is included. [length + 1]
std::vector<const Candidate*> links_to(const SentenceBeam& sentence, const Candidate& last, size_t length) {
  const auto beam = static_cast<size_t>(sentence.beam);
  std::vector<const Candidate*> links(length + 1, &last);
  for (size_t step = links.size() - 1; step-- > 0;) {
    links[step] = &sentence.history[step * beam + static_cast<size_t>(links[step + 1]->parent)];
  }
  return links;
}

/// The attention of each of these steps over the source positions.
std::vector<std::span<const float>> attention_of(const SentenceBeam& sentence,
                                                 std::span<const Candidate* const> links) {
  std::vector<std::span<const float>> rows;
  for (size_t step = 0; step < links.size(); ++step) {
    const std::vector<float>& weights = sentence.attention[step];
    const size_t columns = weights.size() / static_cast<size_t>(sentence.beam);
    rows.push_back(std::span(weights).subspan(static_cast<size_t>(links[step]->parent) * columns, columns));
  }
  return rows;
}

/// The score after the length penalty. A forced phrase lowers the mean log-probability, so further tokens would raise
/// it again: beyond `scored_length` they do not.
double score_of(double ranked_by, int64_t length, const SearchOptions& options,
                const SentenceConstraints* constraints) {
  const double score = normalized_score(ranked_by, length, options);
  if (constraints == nullptr || constraints->scored_length == 0 || length <= constraints->scored_length) return score;
  return std::min(score, normalized_score(ranked_by, constraints->scored_length, options));
}

/// The hypothesis made of these links, without its prompt; the last link is its end.
Hypothesis hypothesis_of(const SentenceBeam& sentence, std::span<const Candidate* const> all,
                         const SearchOptions& options, ReturnOptions keep) {
  const size_t prompt = std::min(static_cast<size_t>(sentence.prompt_length), all.size() - 1);
  const std::span<const Candidate* const> links = all.subspan(prompt);
  Hypothesis hypothesis;
  for (const Candidate* link : links) {
    hypothesis.ids.push_back(link->token);
    if (keep.token_scores) hypothesis.token_log_probabilities.push_back(link->token_log_probability);
  }
  hypothesis.ids.pop_back();
  if (sentence.constraints != nullptr && !sentence.constraints->required.empty()) {
    std::vector<float> log_probabilities;
    for (const Candidate* link : links) log_probabilities.push_back(link->token_log_probability);
    hypothesis.required_log_probabilities =
        required_log_probabilities(*sentence.constraints, hypothesis.ids, log_probabilities);
  }
  if (keep.attention || options.coverage_penalty != 0) {
    auto rows = attention_of(sentence, all);
    rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(prompt));
    if (options.coverage_penalty != 0) {
      hypothesis.coverage = options.coverage_penalty * coverage(rows, sentence.source_length);
    }
    if (keep.attention) {
      for (const auto& row : rows) hypothesis.attention.emplace_back(row.begin(), row.end());
    }
  }
  const Candidate& last = *links.back();
  hypothesis.log_probability = last.log_probability;
  hypothesis.penalty = last.penalty;
  hypothesis.score = score_of(last.ranked_by(), std::ssize(links), options, sentence.constraints) + hypothesis.coverage;
  return hypothesis;
}

}  // namespace

SentenceBeam::SentenceBeam(int64_t name, int64_t source_tokens, const SearchOptions& options,
                           const SentenceConstraints* sentence_constraints)
    : index(name),
      source_length(source_tokens),
      source_positions(source_tokens + 1),
      constraints(sentence_constraints),
      beam(options.beam),
      prompt_length(prompt_of(sentence_constraints)),
      limit(limit_of(source_tokens, options, sentence_constraints)),
      live{{.group = kEveryGroup}},
      ends_by_itself(static_cast<size_t>(options.beam), false),
      finished_of_group(static_cast<size_t>(options.groups), 0) {}

std::vector<std::span<const float>> attention_of(const SentenceBeam& sentence, size_t beam) {
  const Candidate present{.parent = static_cast<int32_t>(beam)};
  return attention_of(sentence, links_to(sentence, present, static_cast<size_t>(sentence.length())));
}

std::vector<int32_t> tokens_of(const SentenceBeam& sentence, size_t beam) {
  std::vector<int32_t> tokens;
  const Candidate last{.parent = static_cast<int32_t>(beam)};
  for (const Candidate* link : links_to(sentence, last, static_cast<size_t>(sentence.length()))) {
    tokens.push_back(link->token);
  }
  tokens.pop_back();
  return tokens;
}

Hypothesis trace(const SentenceBeam& sentence, const Candidate& last, const SearchOptions& options,
                 ReturnOptions keep) {
  const auto links = links_to(sentence, last, static_cast<size_t>(sentence.length()));
  Hypothesis hypothesis = hypothesis_of(sentence, links, options, keep);
  hypothesis.complete = !sentence.at_limit() || sentence.ends_by_itself.at(static_cast<size_t>(last.parent));
  return hypothesis;
}

Hypothesis ended_by_rules(const SentenceBeam& sentence, size_t beam, const SearchOptions& options, ReturnOptions keep) {
  const std::vector<int32_t> tokens = tokens_of(sentence, beam);
  size_t length = tokens.size();
  if (const SentenceConstraints* constraints = sentence.constraints; constraints != nullptr && constraints->forbidden) {
    const size_t tag = std::min(constraints->tag, length), least = std::min(constraints->prefix.size(), length);
    length = tag + constraints->forbidden->longest_end(constraints->before, constraints->text_of(tokens), least - tag);
  }
  const Candidate present{.parent = static_cast<int32_t>(beam)};
  const auto all = links_to(sentence, present, tokens.size());
  const Candidate before = length > 0 ? *all[length - 1] : Candidate{};
  const Candidate end{.log_probability = before.log_probability,
                      .parent = all[length]->parent,
                      .token = text::kEos,
                      .penalty = before.penalty};
  Hypothesis hypothesis = hypothesis_of(sentence, links_to(sentence, end, length), options, keep);
  hypothesis.ended_by_rules = true;
  return hypothesis;
}

void extend(SentenceBeam& sentence, std::span<const Candidate> candidates, const SearchOptions& options) {
  // A beam without a hypothesis is fed an arbitrary token; its result is never read.
  constexpr Candidate kDead{.token = text::kEos};
  std::vector<int64_t> room(static_cast<size_t>(options.groups), group_size(options));
  sentence.live.clear();
  for (const Candidate& candidate : candidates) {
    int64_t& left = room[static_cast<size_t>(candidate.group)];
    if (candidate.token == text::kEos || left == 0) continue;
    --left;
    sentence.live.push_back({candidate.log_probability, candidate.penalty, candidate.group});
    sentence.history.push_back(candidate);
  }
  sentence.history.resize(sentence.history.size() + static_cast<size_t>(sentence.beam) - sentence.live.size(), kDead);
}

}  // namespace heed::search
