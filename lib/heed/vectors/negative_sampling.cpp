#include "heed/vectors/negative_sampling.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/random.h"
#include "heed/vectors/word_counts.h"

namespace heed::vectors {
namespace {

using Clock = std::chrono::steady_clock;

float dot(std::span<const float> a, std::span<const float> b) {
  std::array<float, 8> sums{};  // separate sums, so that the compiler can add in vectors
  const size_t whole = a.size() / sums.size() * sums.size();
  for (size_t i = 0; i < whole; i += sums.size()) {
    for (size_t j = 0; j < sums.size(); ++j) sums[j] += a[i + j] * b[i + j];
  }
  float sum = 0;
  for (const float part : sums) sum += part;
  for (size_t i = whole; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add_scaled(std::span<float> to, std::span<const float> from, float factor) {
  for (size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

/// Uniform in [-1/2, 1/2), divided by the width, as in word2vec.
std::vector<float> initial_values(size_t count, size_t width, int64_t seed) {
  RandomStream random(static_cast<uint64_t>(seed), Purpose::Initialization);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>((random.uniform() - 0.5) / static_cast<double>(width));
  return values;
}

/// The probability of keeping each word; above 1 means always.
std::vector<double> kept_shares(const CountedText& text, double subsample) {
  std::vector<double> shares;
  for (const int64_t count : text.counts) {
    const double share = static_cast<double>(count) / static_cast<double>(text.tokens);
    shares.push_back(subsample == 0 ? 1 : std::sqrt(subsample / share));
  }
  return shares;
}

class Training {
 public:
  Training(const CountedText& text, const NegativeSamplingOptions& options)
      : text_(text),
        options_(options),
        noise_(text.counts),
        width_(static_cast<size_t>(options.width)),
        inputs_(initial_values(text.words.size() * width_, width_, options.seed)),
        outputs_(inputs_.size(), 0),
        mean_(width_),
        change_(width_),
        keep_(kept_shares(text, options.subsample)),
        first_rate_(options.learning_rate.value_or(options.method == Method::Cbow ? 0.05 : 0.025)) {}

  WordVectors run(const std::function<void(const VectorProgress&)>& on_progress) {
    started_ = reported_ = Clock::now();
    for (int64_t epoch = 0; epoch < options_.epochs; ++epoch) {
      for (size_t line = 0; line < text_.lines.size(); ++line) {
        learn_line(text_.lines[line], stream(epoch, line));
        tokens_ += std::ssize(text_.lines[line]);
        if (on_progress && Clock::now() - reported_ > std::chrono::milliseconds(100)) report(on_progress);
      }
      end_epoch(epoch + 1 == options_.epochs);
    }
    if (options_.epochs > 0 && !learned_) {
      throw Error(
          "there was nothing to learn from: no word of a line has another one around it that has a vector and was "
          "not left out (`subsample`)");
    }
    if (on_progress) report(on_progress);
    return {text_.words, options_.width, std::move(inputs_)};
  }

 private:
  RandomStream stream(int64_t epoch, size_t line) const {
    return {static_cast<uint64_t>(options_.seed), Purpose::Subwords, static_cast<uint64_t>(epoch), line};
  }

  double share() const {
    return static_cast<double>(tokens_) / static_cast<double>(std::max<int64_t>(1, text_.tokens * options_.epochs));
  }

  std::span<float> row(std::vector<float>& table, int32_t word) const {
    return std::span(table).subspan(static_cast<size_t>(word) * width_, width_);
  }

  void learn_line(const std::vector<int32_t>& line, RandomStream random) {
    rate_ = static_cast<float>(first_rate_ * std::max(1e-4, 1 - share()));
    std::vector<int32_t> words;
    for (const int32_t word : line) {
      if (random.uniform() < keep_[static_cast<size_t>(word)]) words.push_back(word);
    }
    for (size_t at = 0; at < words.size(); ++at) {
      const size_t reach = 1 + random.below(static_cast<uint64_t>(options_.window));
      const size_t first = at - std::min(at, reach), last = std::min(words.size() - 1, at + reach);
      if (options_.method == Method::SkipGram)
        skip_gram(words, at, first, last, random);
      else
        cbow(words, at, first, last, random);
    }
  }

  void skip_gram(const std::vector<int32_t>& words, size_t at, size_t first, size_t last, RandomStream& random) {
    for (size_t around = first; around <= last; ++around) {
      if (around == at) continue;
      const std::span<float> input = row(inputs_, words[at]);
      predict(input, words[around], random);
      add_scaled(input, change_, 1);
    }
  }

  void cbow(const std::vector<int32_t>& words, size_t at, size_t first, size_t last, RandomStream& random) {
    if (first == last) return;
    const float share = 1 / static_cast<float>(last - first);
    std::ranges::fill(mean_, 0.0F);
    for (size_t around = first; around <= last; ++around) {
      if (around != at) add_scaled(mean_, row(inputs_, words[around]), share);
    }
    predict(mean_, words[at], random);
    for (size_t around = first; around <= last; ++around) {
      if (around != at) add_scaled(row(inputs_, words[around]), change_, 1);
    }
  }

  /// One gradient step for `word` and its negative samples. The step for h is left in change_.
  void predict(std::span<const float> h, int32_t word, RandomStream& random) {
    std::ranges::fill(change_, 0.0F);
    step(h, word, 1);
    for (int64_t i = 0; i < options_.negatives; ++i) {
      const int32_t negative = noise_.draw(random);
      if (negative != word) step(h, negative, 0);
    }
    ++predictions_;
    ++epoch_predictions_;
  }

  void step(std::span<const float> h, int32_t word, float truth) {
    const std::span<float> output = row(outputs_, word);
    const float score = dot(h, output);
    const float p = 1 / (1 + std::exp(-score));
    const float loss = truth > 0 ? std::log1p(std::exp(-score)) : std::log1p(std::exp(score));
    loss_ += loss;
    epoch_loss_ += loss;
    const float factor = rate_ * (truth - p);
    add_scaled(change_, output, factor);
    add_scaled(output, h, factor);
  }

  /// All-zero vectors have a loss of ln 2 for the word and for each negative sample. Vectors with little training are
  /// close to it, above or below.
  void end_epoch(bool last) {
    learned_ = learned_ || epoch_predictions_ > 0;
    const double loss = epoch_loss_ / static_cast<double>(std::max<int64_t>(1, epoch_predictions_));
    const double of_zeros = static_cast<double>(1 + options_.negatives) * std::log(2);
    constexpr double kNoise = 1.05;
    if (!std::isfinite(loss) || (last && loss > kNoise * of_zeros)) {
      throw ConfigError("learning-rate",
                        fmt::format("must be smaller: with {} the vectors grow without end", first_rate_));
    }
    epoch_loss_ = 0;
    epoch_predictions_ = 0;
  }

  void report(const std::function<void(const VectorProgress&)>& on_progress) {
    reported_ = Clock::now();
    const double seconds = std::chrono::duration<double>(reported_ - started_).count();
    on_progress({.share = share(),
                 .loss = predictions_ > 0 ? loss_ / static_cast<double>(predictions_) : 0,
                 .tokens_per_second = seconds > 0 ? static_cast<double>(tokens_) / seconds : 0});
    loss_ = 0;
    predictions_ = 0;
  }

  const CountedText& text_;
  const NegativeSamplingOptions& options_;
  NoiseWords noise_;
  size_t width_;
  std::vector<float> inputs_, outputs_;  // [words, width]
  std::vector<float> mean_, change_;     // [width]
  std::vector<double> keep_;             // probability of each word
  double first_rate_;
  float rate_ = 0;
  int64_t tokens_ = 0;
  bool learned_ = false;
  int64_t predictions_ = 0, epoch_predictions_ = 0;  // since the last report; in this epoch
  double loss_ = 0, epoch_loss_ = 0;                 // sums over these predictions
  Clock::time_point started_, reported_;
};

}  // namespace

WordVectors train_word_vectors(const CountedText& text, const NegativeSamplingOptions& options,
                               const std::function<void(const VectorProgress&)>& on_progress) {
  return Training(text, options).run(on_progress);
}

}  // namespace heed::vectors
