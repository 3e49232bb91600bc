#include "heed/translation/lines/assemble.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "heed/core/text/one_line.h"
#include "heed/core/text/spacing.h"
#include "heed/core/text/unicode.h"

namespace heed::translation {
namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// The place of a part's attention in the attention of the line. A part attends to its own source only.
struct Place {
  size_t rows;     ///< target ids of the part
  size_t own;      ///< source ids of the part
  size_t before;   ///< source ids of the earlier parts
  size_t columns;  ///< source ids of the line
};

void append_attention(text::AlignmentWeights& line, const text::AlignmentWeights& part, const Place& place) {
  for (size_t i = 0; i < place.rows && i < part.size(); ++i) {
    std::vector<float>& row = line.emplace_back(place.columns, 0.0F);
    std::copy_n(part[i].begin(), place.own, row.begin() + static_cast<std::ptrdiff_t>(place.before));
  }
}

/// The attention to the source's vectors, which follow the text and its end-of-sentence.
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

/// The prefix tokens of a part, without the target-language tag.
text::Ids begin_of(const TranslatedPart& part) {
  if (!part.constraints) return {};
  const text::Ids& prefix = part.constraints->prefix;
  return {prefix.begin() + static_cast<std::ptrdiff_t>(part.constraints->tag), prefix.end()};
}

/// The text of a hypothesis. A given prefix is written as it was given, because the vocabulary may lack some of it.
std::string text_of(const TranslatedPart& part, const search::Hypothesis& hypothesis,
                    const text::Tokenizers& tokenizers, const UnknownWordReplacer* unknown) {
  const text::Ids given = begin_of(part);
  std::string text = line_of(*tokenizers.target, hypothesis.ids);
  if (unknown != nullptr && tokenizers.source) {
    text = unknown->text_of(hypothesis.ids, given.size(), text::line_units(*tokenizers.source, part.part.text),
                            hypothesis.attention, part.constraints ? part.constraints->forbidden.get() : nullptr);
  }
  if (given.empty()) return text;
  const std::string begin = line_of(*tokenizers.target, given);
  if (text.starts_with(begin)) text.replace(0, begin.size(), strip_right(part.prefix));
  return text;
}

bool spaces_meet(std::string_view left, std::string_view right) {
  return strip_right(left).size() < left.size() || strip(right).data() != right.data();
}

/// Joins the texts and words of the parts into those of the line.
class TextJoiner {
 public:
  TextJoiner(Translation& line, const text::Tokenizers& tokenizers) : line_(line), tokenizers_(tokenizers) {}

  /// text: the text of the hypothesis.
  void append(const LinePart& part, const search::Hypothesis& hypothesis, const std::string& text) {
    // An empty translation between two others must not join their words.
    word_ended_ |= part.space_before || (before_ != nullptr && word_ends_between(before_->text, part.text));
    before_ = &part;
    if (word_ended_ && blank_between(line_.text, text)) line_.text += ' ';
    if (!hypothesis.attention.empty()) append_words(part, hypothesis, spaces_meet(line_.text, text));
    if (text.empty()) return;
    line_.text += text;
    word_ended_ = false;
  }

 private:
  void append_words(const LinePart& part, const search::Hypothesis& hypothesis, bool space_between) {
    if (tokenizers_.source) {
      line_.source_words.append(text::line_units(*tokenizers_.source, part.text), part.space_before);
    }
    line_.target_words.append(text::word_units(*tokenizers_.target, hypothesis.ids), space_between);
  }

  Translation& line_;
  const text::Tokenizers& tokenizers_;
  const LinePart* before_ = nullptr;  // the part that was appended last
  bool word_ended_ = false;           // in the source, since the last part that has a translation
};

Translation of_rank(std::span<const TranslatedPart> parts, size_t rank, const text::Tokenizers& tokenizers,
                    const search::SearchOptions& search, const UnknownWordReplacer* unknown) {
  Translation line;
  line.parts = static_cast<int64_t>(parts.size());
  TextJoiner joiner(line, tokenizers);
  double penalty = 0, coverage = 0;
  size_t columns = 0;
  for (const TranslatedPart& part : parts) columns += part.part.ids.size();
  for (const TranslatedPart& part : parts) {
    const size_t chosen = std::min(rank, part.hypotheses.size() - 1);
    const auto& hypothesis = part.hypotheses[chosen];
    joiner.append(part.part, hypothesis, text_of(part, hypothesis, tokenizers, unknown));
    line.log_probability += hypothesis.log_probability;
    penalty += hypothesis.penalty;
    coverage += hypothesis.coverage;
    line.complete &= hypothesis.complete;
    line.ended_by_rules |= hypothesis.ended_by_rules;
    if (part.constraints) line.tag_tokens += static_cast<int64_t>(part.constraints->tag);
    if (part.constraints) line.terms += std::ssize(part.constraints->required);
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
    append(line.term_log_probabilities, hypothesis.required_log_probabilities);
  }
  line.score = search::normalized_score(line.log_probability + penalty, line.scored_tokens(), search) + coverage;
  return line;
}

}  // namespace

std::string line_of(const text::Tokenizer& tokenizer, const text::Ids& ids) {
  return on_one_line(tokenizer.decode(ids));
}

Translation assemble(std::span<const TranslatedPart> parts, const text::Tokenizers& tokenizers,
                     const search::SearchOptions& search, const UnknownWordReplacer* unknown) {
  Translation blank;
  blank.parts = 0;
  if (parts.empty()) return blank;
  size_t ranks = 0;
  for (const TranslatedPart& part : parts) ranks = std::max(ranks, part.hypotheses.size());
  Translation best = of_rank(parts, 0, tokenizers, search, unknown);
  for (size_t rank = 1; rank < ranks; ++rank) best.others.push_back(of_rank(parts, rank, tokenizers, search, unknown));
  return best;
}

}  // namespace heed::translation
