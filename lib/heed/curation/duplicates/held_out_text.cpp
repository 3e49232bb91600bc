#include "heed/curation/duplicates/held_out_text.h"

#include <algorithm>
#include <utility>

#include "heed/core/text/unicode.h"
#include "heed/curation/files/pair_input.h"
#include "heed/data/overlap/pair_key.h"

namespace heed::curation {

namespace {

/// Without spaces and tabs at the ends. A text with control characters is not equal to one without them, which is
/// better.
std::string key_text(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  std::string trimmed(text.substr(begin, text.find_last_not_of(" \t") + 1 - begin));
  if (!trimmed.empty() && trimmed != strip(trimmed)) trimmed += '\x1';  // what the key of data strips
  return trimmed;
}

}  // namespace

uint64_t side_key(std::string_view text) { return data::source_key({.source = key_text(text), .target = {}}); }

uint64_t pair_key(std::string_view source, std::string_view target) {
  return data::pair_key({.source = key_text(source), .target = key_text(target)});
}

HeldOutText::HeldOutText(std::string name, const CorpusText& corpus, double similarity)
    : name_(std::move(name)), similarity_(similarity) {
  const auto input = open_pairs(corpus);
  SideText source, target;
  for (Pair pair; input->next(pair);) {
    const int64_t line = pairs();
    source.assign(pair.source);
    target.assign(pair.target);
    const Sketch sketch = sketch_of(source, target);
    sketches_.push_back(sketch.values);
    marks_.push_back(Overlap::None);
    if (strip(pair.source).empty() || strip(pair.target).empty()) continue;
    pairs_.try_emplace(pair_key(pair.source, pair.target), line);
    sources_.try_emplace(side_key(pair.source), line);
    if (sketch.empty) continue;
    for (const uint64_t band : sketch.bands) bands_[band].push_back(line);
  }
}

HeldOutText::Match HeldOutText::match(uint64_t pair_key, uint64_t source_key, const Sketch& sketch) const {
  if (const auto found = pairs_.find(pair_key); found != pairs_.end()) return {Overlap::Equal, found->second + 1};
  if (!sketch.empty) {
    for (const uint64_t band : sketch.bands) {
      const auto found = bands_.find(band);
      if (found == bands_.end()) continue;
      for (const int64_t line : found->second) {
        if (sketch.similarity(sketches_[static_cast<size_t>(line)]) >= similarity_) return {Overlap::Near, line + 1};
      }
    }
  }
  if (const auto found = sources_.find(source_key); found != sources_.end())
    return {Overlap::Source, found->second + 1};
  return {};
}

void HeldOutText::mark(const Match& match) {
  if (match.overlap == Overlap::None) return;
  Overlap& mark = marks_[static_cast<size_t>(match.line - 1)];
  mark = std::max(mark, match.overlap);
}

int64_t HeldOutText::found(Overlap overlap) const { return std::ranges::count(marks_, overlap); }

}  // namespace heed::curation
