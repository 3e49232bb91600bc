#include "heed/data/encoded/admission.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/parallel.h"
#include "heed/core/text/unicode.h"
#include "heed/data/encoded/encode_sides.h"

namespace heed::data {
namespace {

void encode(EncodedPair& pair, const text::Tokenizers& tokenizers, const SourceVectors* vectors) {
  const bool has_source = tokenizers.source != nullptr;
  pair.error.clear();
  pair.blank = strip(pair.text.target).empty() || (has_source && strip(pair.text.source).empty());
  if (pair.blank) return;
  const auto item = static_cast<int64_t>(pair.line);
  if (vectors && item < vectors->file().size()) {
    pair.vectors = vectors->length(item);
    read_block(vectors->file(), std::span(&item, 1));  // throws if the item is damaged
  }
  try {
    encode_sides(pair, tokenizers);
  } catch (const Error& error) {
    pair.error = error.what();
  }
  pair.blank = pair.error.empty() && (text::length(pair.target) == 0 || (has_source && pair.source.empty()));
}

}  // namespace

void encode_pairs(std::span<EncodedPair> pairs, const text::Tokenizers& tokenizers, const SourceVectors* vectors,
                  int64_t threads) {
  constexpr int64_t kChunk = 64;
  parallel_chunks(threads, std::ssize(pairs), kChunk, [&](int64_t, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) encode(pairs[static_cast<size_t>(i)], tokenizers, vectors);
  });
}

namespace {

int64_t unknown_in(const text::Ids& ids) { return std::count(ids.begin(), ids.end(), text::kUnk); }

/// The counter of the filter that leaves out this pair; null: the pair is kept.
int64_t* filtered(const EncodedPair& pair, bool has_source, const PairFilters& filters, CorpusSummary& summary) {
  const int64_t source = std::ssize(pair.source), target = text::length(pair.target);
  const auto shorter = static_cast<double>(std::min(source, target));
  const auto longer = static_cast<double>(std::max(source, target));
  if (has_source && filters.max_length_ratio && longer > *filters.max_length_ratio * shorter) {
    return &summary.unlike_lengths;
  }
  const bool leaves_identical = filters.identical_sides == FilterAction::LeaveOut;
  if (has_source && leaves_identical && strip(pair.text.source) == strip(pair.text.target)) return &summary.identical;
  const auto is_other = [](const std::string& text, const std::vector<std::string>& scripts) {
    return !scripts.empty() && !is_in_scripts(text, scripts);
  };
  const bool other_script =
      is_other(pair.text.source, filters.source_script) || is_other(pair.text.target, filters.target_script);
  return other_script ? &summary.other_script : nullptr;
}

}  // namespace

bool admit(const EncodedPair& pair, const CorpusForm& form, const CorpusOptions& options, CorpusSummary& summary) {
  const int64_t source = std::ssize(pair.source) + pair.vectors;
  ++summary.read;
  if (pair.text.bad) {
    ++summary.bad_rows;
    return false;
  }
  if (pair.blank) {
    ++summary.empty;
    return false;
  }
  constexpr size_t kMaximumBytes = std::numeric_limits<uint32_t>::max();
  if (source > options.max_source_length ||
      (form.writes_text() && text::length(pair.target) > options.max_target_length) ||
      std::max(pair.text.source.size(), pair.text.target.size()) > kMaximumBytes) {
    ++summary.too_long;
    return false;
  }
  if (pair.text.weight == 0) {
    ++summary.weightless;
    return false;
  }
  summary.leaking += pair.leaking ? 1 : 0;
  if (pair.leaking && options.filters.leaking == FilterAction::LeaveOut) return false;
  if (pair.duplicate && options.filters.duplicates == FilterAction::LeaveOut) {
    ++summary.duplicates;
    return false;
  }
  if (int64_t* count = filtered(pair, !pair.source.empty(), options.filters, summary)) {
    ++*count;
    return false;
  }
  ++summary.kept;
  summary.source_tokens += source + (pair.source.empty() ? 0 : 1);
  summary.target_tokens += text::predictions(pair.target);
  summary.source_unknown += unknown_in(pair.source);
  if (const auto* tokens = std::get_if<text::Ids>(&pair.target)) summary.target_unknown += unknown_in(*tokens);
  return true;
}

}  // namespace heed::data
