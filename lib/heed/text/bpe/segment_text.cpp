#include "heed/text/bpe/segment_text.h"

#include <algorithm>

#include "heed/text/bpe/parallel_blocks.h"

namespace heed::text {
namespace {

// Results of words are forgotten when they take this many bytes, so that no text fills the memory.
constexpr size_t kKeptBytes = size_t{64} << 20U;

}  // namespace

void LineSegmenter::add_segmented(std::string_view word, std::string& out) {
  units_.clear();
  if (dropout_ > 0) words_.segment(word, {.probability = dropout_, .uniform = uniform_}, units_);
  else words_.segment(word, units_);
  for (size_t i = 0; i < units_.size(); ++i) {
    out += units_[i];
    if (i + 1 < units_.size()) (out += words_.separator()) += ' ';
  }
}

void LineSegmenter::add_word(std::string_view word, std::string& out) {
  if (dropout_ > 0) return add_segmented(word, out);
  const uint32_t number = known_.add(word);
  if (number == result_begins_.size()) {
    if (known_.bytes() + results_.size() > kKeptBytes) {
      known_.clear();
      result_begins_.clear();
      results_.clear();
      return add_word(word, out);
    }
    result_begins_.push_back(results_.size());
    add_segmented(word, results_);
  }
  const size_t begin = result_begins_[number];
  const size_t end = number + 1 < result_begins_.size() ? result_begins_[number + 1] : results_.size();
  out.append(results_, begin, end - begin);
}

void LineSegmenter::add_line(std::string_view line, std::string& out) {
  const SpacedLine parts = split_ends(line);
  out += parts.leading;
  bool first = true;
  for_each_word(parts.words, [&](std::string_view word) {
    if (!first) out += ' ';
    first = false;
    add_word(word, out);
  });
  out += parts.trailing;
}

void LineSegmenter::add_block(std::string_view block, LineEnds ends, std::string& out) {
  for_each_line(block, ends, [&](std::string_view line) { add_line(line, out); });
}

void segment_text(const std::string& path, LineEnds ends, const BpeSegmenter& words, int64_t threads,
                  const std::function<void(std::string_view)>& write) {
  TextBlocks blocks(path, ends);
  std::vector<LineSegmenter> segmenters(static_cast<size_t>(std::max<int64_t>(threads, 1)), LineSegmenter(words));
  std::vector<std::string> results(segmenters.size());
  for_each_block(
      blocks, threads,
      [&](size_t worker, size_t place, const std::string& block) {
        results[place].clear();
        segmenters[worker].add_block(block, ends, results[place]);
      },
      [&](size_t place) { write(results[place]); });
}

void segment_text(const std::string& path, LineEnds ends, LineSegmenter& lines,
                  const std::function<void(std::string_view)>& write) {
  TextBlocks blocks(path, ends);
  std::string result;
  for (std::string block; blocks.next(block);) {
    result.clear();
    lines.add_block(block, ends, result);
    write(result);
  }
}

}  // namespace heed::text
