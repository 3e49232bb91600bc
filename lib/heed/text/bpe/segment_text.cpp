#include "heed/text/bpe/segment_text.h"

#include <algorithm>

#include "heed/text/bpe/parallel_blocks.h"

namespace heed::text {

void LineSegmenter::add_segmented(std::string_view word, std::string& out) {
  units_.clear();
  if (dropout_ > 0) words_.segment(word, {.probability = dropout_, .uniform = uniform_}, units_);
  else words_.segment(word, units_);
  for (size_t i = 0; i < units_.size(); ++i) {
    out += units_[i];
    if (i + 1 < units_.size()) (out += words_.separator()) += ' ';
  }
}

void LineSegmenter::add_known(WordCache::Lookup lookup, std::string& out) {
  if (const auto result = known_.find(lookup)) {
    out += *result;
    return;
  }
  const size_t begin = out.size();
  add_segmented(lookup.word, out);
  known_.keep(lookup.word, std::string_view(out).substr(begin));
}

void LineSegmenter::add_line(std::string_view line, std::string& out) {
  const SpacedLine parts = split_ends(line);
  out += parts.leading;
  const size_t begin = out.size();
  const auto separate = [&] {
    if (out.size() > begin) out += ' ';
  };
  lookups_.clear();
  for_each_word(parts.words, [&](std::string_view word) {
    if (dropout_ == 0) {
      lookups_.push_back(known_.begin(word));
    } else {
      separate();
      add_segmented(word, out);
    }
  });
  for (WordCache::Lookup& lookup : lookups_) known_.approach(lookup);
  for (const WordCache::Lookup& lookup : lookups_) {
    separate();
    add_known(lookup, out);
  }
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
