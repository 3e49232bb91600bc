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

}  // namespace heed::data
