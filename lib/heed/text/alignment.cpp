#include "heed/text/alignment.h"

#include <algorithm>
#include <numeric>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"

namespace heed::text {

std::vector<Link> Alignment::links(std::optional<double> threshold) const {
  std::vector<Link> links;
  for (size_t t = 0; t < weights.size(); ++t) {
    const auto& row = weights[t];
    const auto best = std::max_element(row.begin(), row.end());
    for (auto weight = row.begin(); weight != row.end(); ++weight) {
      const bool linked = threshold ? *weight >= static_cast<float>(*threshold) : weight == best && *best > 0;
      if (linked) links.emplace_back(weight - row.begin(), t);
    }
  }
  std::sort(links.begin(), links.end());
  return links;
}

void AlignmentUnits::append(const AlignmentUnits& next, bool space_between) {
  auto names_to_add = std::span(next.names);
  auto offset = std::ssize(names);
  if (!space_between && !names.empty() && !names_to_add.empty()) {
    names.back() += names_to_add.front();
    names_to_add = names_to_add.subspan(1);
    --offset;
  }
  names.insert(names.end(), names_to_add.begin(), names_to_add.end());
  for (const int64_t unit : next.of_token) of_token.push_back(unit < 0 ? unit : unit + offset);
}

AlignmentUnits line_units(const Tokenizer& tokenizer, std::string_view line) {
  LineWords words = tokenizer.line_words(line);
  return {.names = std::move(words.words), .of_token = std::move(words.of_id)};
}

AlignmentUnits word_units(const Tokenizer& tokenizer, std::span<const int32_t> ids) {
  const std::string decoded = tokenizer.decode(ids);
  const auto words = split_whitespace(decoded);
  return {.names = {words.begin(), words.end()}, .of_token = tokenizer.words(ids)};
}

AlignmentUnits token_units(const Tokenizer& tokenizer, std::span<const int32_t> ids) {
  AlignmentUnits units;
  for (const int32_t id : ids) {
    units.of_token.push_back(std::ssize(units.names));
    units.names.push_back(tokenizer.piece(id));
  }
  return units;
}

AlignmentWeights merged(const AlignmentWeights& tokens, const AlignmentUnits& source, const AlignmentUnits& target) {
  AlignmentWeights weights(target.names.size(), std::vector<float>(source.names.size(), 0.0F));
  std::vector<float> pieces(target.names.size(), 0.0F);
  check(tokens.size() >= target.of_token.size(), "an alignment needs weights for every target token");
  for (size_t t = 0; t < target.of_token.size(); ++t) {
    if (target.of_token[t] < 0) continue;
    const auto row = static_cast<size_t>(target.of_token[t]);
    pieces[row] += 1.0F;
    check(tokens[t].size() >= source.of_token.size(), "an alignment needs weights for every source token");
    for (size_t s = 0; s < source.of_token.size(); ++s) {
      if (source.of_token[s] >= 0) weights[row][static_cast<size_t>(source.of_token[s])] += tokens[t][s];
    }
  }
  for (size_t row = 0; row < pieces.size(); ++row) {
    for (float& weight : weights[row]) weight /= std::max(pieces[row], 1.0F);
  }
  return weights;
}

AlignmentWeights merged_rows(const AlignmentWeights& tokens, const AlignmentUnits& target) {
  AlignmentUnits columns;
  columns.names.resize(tokens.empty() ? 0 : tokens.front().size());
  columns.of_token.resize(columns.names.size());
  std::iota(columns.of_token.begin(), columns.of_token.end(), 0);
  return merged(tokens, columns, target);
}

HeadWeights merged_heads(const HeadWeights& tokens, const AlignmentUnits& source, const AlignmentUnits& target) {
  HeadWeights weights;
  for (const auto& layer : tokens) {
    auto& heads = weights.emplace_back();
    for (const AlignmentWeights& head : layer) heads.push_back(merged(head, source, target));
  }
  return weights;
}

}  // namespace heed::text
