#include "heed/text/bpe/segment_text.h"

#include <algorithm>

#include "heed/text/bpe/words/parallel_blocks.h"

namespace heed::text {
namespace {

constexpr size_t kMostBytes = size_t{64} << 20U;
constexpr size_t kMostShortWords = kMostBytes / 128;

}  // namespace

bool WordCache::append_long(std::string_view word, TextBuffer& out) const {
  const uint32_t number = long_.find(word);
  if (number == StringTable::kNone) return false;
  out.append(std::string_view(results_).substr(ends_[number], ends_[number + 1] - ends_[number]));
  return true;
}

void WordCache::keep(const PlainWord& word, std::string_view result) {
  ShortResult short_result{};
  if (word.text.size() + result.size() > kMostBytes) return;
  forget_if_large();
  if (!word.key.empty() && result.size() <= short_result.bytes.size()) {
    result.copy(short_result.bytes.data(), result.size());
    short_result.size = static_cast<uint8_t>(result.size());
    short_.add(word.key, short_result);
  } else {
    long_.add(word.text);
    results_ += result;
    ends_.push_back(results_.size());
  }
}

void WordCache::forget_if_large() {
  if (results_.size() + long_.bytes() <= kMostBytes && short_.size() < kMostShortWords) return;
  short_.clear();
  long_.clear();
  results_.clear();
  ends_.assign(1, 0);
}

void LineSegmenter::add_block(std::string_view block, LineEnds ends, TextBuffer& out) {
  while (!block.empty()) {
    size_t size = dropout_ > 0 ? 0 : scan_plain_lines(block, plain_words_);
    if (size > 0) {
      add_plain_words(ends, out);
    } else {
      size = first_line(block, ends);
      add_line(block.substr(0, size), ends, out);
    }
    block.remove_prefix(size);
  }
}

void LineSegmenter::add_plain_words(LineEnds ends, TextBuffer& out) {
  for (const PlainWord& word : plain_words_) known_.prefetch(word);
  for (const PlainWord& word : plain_words_) {
    add_known(word, ends, out);
    out.append(word.after());
  }
}

void LineSegmenter::add_line(std::string_view line, LineEnds ends, TextBuffer& out) {
  const SpacedLine parts = split_ends(line);
  out.append(parts.leading);
  bool first = true;
  for_each_word(parts.words, [&](std::string_view word) {
    if (!std::exchange(first, false)) out.append(' ');
    if (dropout_ > 0)
      add_word(word, out);
    else
      add_known({.text = word, .key = ShortWord::of(word)}, ends, out);
  });
  out.append(parts.trailing);
}

/// Segments a word, or uses the cached result. The result does not depend on the context, and most words repeat.
void LineSegmenter::add_known(const PlainWord& word, LineEnds ends, TextBuffer& out) {
  if (known_.append(word, out)) return;
  const size_t begin = out.size();
  for_each_line(word.text, ends, [&](std::string_view line) { add_word(line, out); });
  known_.keep(word, out.text().substr(begin));
}

void LineSegmenter::add_word(std::string_view word, TextBuffer& out) {
  units_.clear();
  if (dropout_ > 0)
    words_.segment(word, {.probability = dropout_, .uniform = uniform_}, units_);
  else
    words_.segment(word, units_);
  for (size_t i = 0; i < units_.size(); ++i) {
    if (i > 0) {
      out.append(words_.separator());
      out.append(' ');
    }
    out.append(units_[i]);
  }
}

void segment_text(const std::string& path, LineEnds ends, const BpeSegmenter& words, int64_t threads,
                  const std::function<void(std::string_view)>& write) {
  TextBlocks blocks(path, ends);
  std::vector<LineSegmenter> segmenters(static_cast<size_t>(std::max<int64_t>(threads, 1)), LineSegmenter(words));
  std::vector<TextBuffer> results(segmenters.size());
  for_each_block(
      blocks, threads,
      [&](size_t worker, size_t place, const std::string& block) {
        results[place].clear();
        segmenters[worker].add_block(block, ends, results[place]);
      },
      [&](size_t place) { write(results[place].text()); });
}

void segment_text(const std::string& path, LineEnds ends, LineSegmenter& lines,
                  const std::function<void(std::string_view)>& write) {
  TextBlocks blocks(path, ends);
  TextBuffer result;
  for (std::string block; blocks.next(block);) {
    result.clear();
    lines.add_block(block, ends, result);
    write(result.text());
  }
}

}  // namespace heed::text
