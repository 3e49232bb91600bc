#include "heed/data/overlap/swapped_sides.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"

namespace heed::data {
namespace {

constexpr int64_t kFewestPairs = 20;

/// How often each pair of neighboring bytes occurs in a text.
class BytePairs {
 public:
  void add(std::string_view line) {
    for (size_t i = 1; i < line.size(); ++i) {
      counts_[256 * static_cast<uint8_t>(line[i - 1]) + static_cast<uint8_t>(line[i])] += 1;
      all_ += 1;
    }
  }
  /// The sum of the differences of the relative frequencies: 0 for equal texts, 2 for texts without a common pair.
  double distance(const BytePairs& other) const {
    if (all_ == 0 || other.all_ == 0) return 0;
    double sum = 0;
    for (size_t i = 0; i < counts_.size(); ++i) sum += std::abs(counts_[i] / all_ - other.counts_[i] / other.all_);
    return sum;
  }

 private:
  std::vector<double> counts_ = std::vector<double>(size_t{256} * 256);
  double all_ = 0;
};

/// Calls `use` for the first pairs of a text. Returns their number.
int64_t read_first(const CorpusFiles& files, const TextFormat& format,
                   const std::function<void(const TextPair&)>& use) {
  PairReader reader(files, format);
  int64_t pairs = 0;
  for (TextPair pair; pairs < kSampledPairs && reader.next(pair);) {
    if (pair.bad) continue;
    use(pair);
    ++pairs;
  }
  return pairs;
}

bool has_two_texts(const CorpusFiles& files) { return files.has_source() && !files.has_vectors(); }

struct SidesOfText {
  BytePairs source, target;
  int64_t pairs = 0;

  SidesOfText(const CorpusFiles& files, const TextFormat& format) {
    pairs = read_first(files, format, [&](const TextPair& pair) {
      source.add(pair.source);
      target.add(pair.target);
    });
  }
};

}  // namespace

void warn_of_swapped_sides(const ComparedTexts& texts) {
  if (!texts.valid || !has_two_texts(texts.train) || !has_two_texts(*texts.valid)) return;
  const SidesOfText train(texts.train, texts.format), valid(*texts.valid, texts.format);
  if (std::min(train.pairs, valid.pairs) < kFewestPairs) return;
  const double as_given = train.source.distance(valid.source) + train.target.distance(valid.target);
  const double exchanged = train.source.distance(valid.target) + train.target.distance(valid.source);
  constexpr double kClearly = 1.5;
  if (kClearly * exchanged >= as_given) return;
  log_warning(fmt::format(
      "{}: the source looks like the target of the validation text ({}), and the target like its source: are "
      "the sides of one of them swapped?",
      names_of(texts.train), names_of(*texts.valid)));
}

void warn_of_swapped_sides(const CorpusFiles& train, const TextFormat& format, const text::Tokenizers& tokenizers,
                           const std::string& model) {
  if (!has_two_texts(train) || tokenizers.source == nullptr || tokenizers.source == tokenizers.target) return;
  size_t as_given = 0, exchanged = 0;
  const int64_t pairs = read_first(train, format, [&](const TextPair& pair) {
    as_given += tokenizers.source->encode(pair.source).size() + tokenizers.target->encode(pair.target).size();
    exchanged += tokenizers.source->encode(pair.target).size() + tokenizers.target->encode(pair.source).size();
  });
  constexpr double kClearly = 1.2;
  if (pairs < kFewestPairs || kClearly * static_cast<double>(exchanged) >= static_cast<double>(as_given)) return;
  log_warning(
      fmt::format("{}: the tokenizers of {} need {} tokens for these pairs, and {} if source and target are exchanged: "
                  "are the sides swapped?",
                  names_of(train), model, as_given, exchanged));
}

void SameSides::add(std::string_view source, std::string_view target) {
  if (strip(source).empty()) return;
  ++pairs_;
  equal_ += source == target;
}

void SameSides::warn(const CorpusFiles& files, const std::string& prefix) const {
  constexpr double kNearlyAll = 0.9;
  const bool same_files = !files.source.empty() && files.source == files.target;
  if (pairs_ < (same_files ? 1 : kFewestPairs)) return;
  if (static_cast<double>(equal_) < kNearlyAll * static_cast<double>(pairs_)) return;
  if (files.source.empty()) {
    return log_warning(
        fmt::format("{}: source and target are the same text in {} of {} pairs: is one of them the wrong "
                    "column?",
                    names_of(files), format_count(equal_), format_count(pairs_)));
  }
  const CorpusFiles shown{.source = files.source,
                          .target = same_files ? std::vector<std::string>{} : files.target,
                          .pairs = {},
                          .names = files.names};
  log_warning(fmt::format("`--{0}source` and `--{0}target` are the same text ({1}): is one of them the wrong file?",
                          prefix, names_of(shown)));
}

void warn_of_same_sides(const CorpusFiles& files, const TextFormat& format, const std::string& prefix) {
  if (!has_two_texts(files)) return;
  SameSides sides;
  read_first(files, format, [&](const TextPair& pair) { sides.add(pair.source, pair.target); });
  sides.warn(files, prefix);
}

}  // namespace heed::data
