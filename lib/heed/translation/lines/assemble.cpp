#include "heed/translation/lines/assemble.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "heed/core/text/one_line.h"
#include "heed/core/text/unicode.h"

namespace heed::translation {
namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Where a part's attention lies in that of the line: no part has looked at another's source.
struct Place {
  size_t rows;     ///< target ids of the part
  size_t own;      ///< source ids of the part
  size_t before;   ///< source ids of the parts before
  size_t columns;  ///< source ids of the line
};

void append_attention(text::AlignmentWeights& line, const text::AlignmentWeights& part, const Place& place) {
  for (size_t i = 0; i < place.rows && i < part.size(); ++i) {
    std::vector<float>& row = line.emplace_back(place.columns, 0.0F);
    std::copy_n(part[i].begin(), place.own, row.begin() + static_cast<std::ptrdiff_t>(place.before));
  }
}

/// The weights of the source's vectors, which stand behind the text and its end-of-sentence.
void append_item_attention(text::AlignmentWeights& line, const TranslatedPart& part,
                           const search::Hypothesis& hypothesis) {
  if (!part.item) return;
  const size_t text = part.item->has_text ? part.part.ids.size() + 1 : 0;
  for (size_t i = 0; i < hypothesis.ids.size() && i < hypothesis.attention.size(); ++i) {
    const auto begin = hypothesis.attention[i].begin() + static_cast<std::ptrdiff_t>(text);
    line.emplace_back(begin, begin + part.item->positions);
  }
}

void append_heads(text::HeadWeights& line, const text::HeadWeights& part, const Place& place) {
  line.resize(part.size());
  for (size_t layer = 0; layer < part.size(); ++layer) {
    line[layer].resize(part[layer].size());
    for (size_t head = 0; head < part[layer].size(); ++head) {
      append_attention(line[layer][head], part[layer][head], place);
    }
  }
}

bool spaces_meet(std::string_view left, std::string_view right) {
  return strip_right(left).size() < left.size() || strip(right).data() != right.data();
}

Translation of_rank(std::span<const TranslatedPart> parts, size_t rank, const text::Tokenizers& tokenizers,
                    const search::LengthPenalty& penalty) {
  Translation line;
  line.parts = static_cast<int64_t>(parts.size());
  size_t columns = 0;
  for (const TranslatedPart& part : parts) columns += part.part.ids.size();
  for (const TranslatedPart& part : parts) {
    const size_t chosen = std::min(rank, part.hypotheses.size() - 1);
    const auto& hypothesis = part.hypotheses[chosen];
    if (part.part.space_before && !line.text.empty()) line.text += ' ';
    const std::string text = line_of(*tokenizers.target, hypothesis.ids);
    if (!hypothesis.attention.empty()) {
      if (tokenizers.source) {
        line.source_words.append(text::line_units(*tokenizers.source, part.part.text), part.part.space_before);
      }
      line.target_words.append(text::word_units(*tokenizers.target, hypothesis.ids), spaces_meet(line.text, text));
    }
    line.text += text;
    line.log_probability += hypothesis.log_probability;
    line.complete &= hypothesis.complete;
    line.source_complete &= !part.part.incomplete;
    const Place place{
        .rows = hypothesis.ids.size(), .own = part.part.ids.size(), .before = line.source.size(), .columns = columns};
    append_attention(line.attention, hypothesis.attention, place);
    append_item_attention(line.item_attention, part, hypothesis);
    line.item = part.item;
    if (!part.heads.empty()) append_heads(line.heads, part.heads[chosen], place);
    append(line.source, part.part.ids);
    append(line.target, hypothesis.ids);
    append(line.token_log_probabilities, hypothesis.token_log_probabilities);
  }
  line.score = search::normalized_score(line.log_probability, std::ssize(line.target) + line.parts, penalty);
  return line;
}

}  // namespace

std::string line_of(const text::Tokenizer& tokenizer, const text::Ids& ids) {
  return on_one_line(tokenizer.decode(ids));
}

Translation assemble(std::span<const TranslatedPart> parts, const text::Tokenizers& tokenizers,
                     const search::LengthPenalty& penalty) {
  Translation blank;
  blank.parts = 0;
  if (parts.empty()) return blank;
  size_t ranks = 0;
  for (const TranslatedPart& part : parts) ranks = std::max(ranks, part.hypotheses.size());
  Translation best = of_rank(parts, 0, tokenizers, penalty);
  for (size_t rank = 1; rank < ranks; ++rank) best.others.push_back(of_rank(parts, rank, tokenizers, penalty));
  return best;
}

}  // namespace heed::translation
