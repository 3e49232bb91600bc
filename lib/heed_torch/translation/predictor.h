// Predictions of a model with a head for raw lines: a label, a label for each word, or numbers. N lines in, N
// predictions out, in their order; a blank line has an empty prediction. Commands and validation both use this class.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <c10/core/Device.h>

#include "heed/core/options.h"
#include "heed/search/beam_model.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/source_line.h"
#include "heed_torch/models/model.h"

namespace heed::translation {

/// These options do not change the predictions, except for rounding and for the length at which lines are split.
struct PredictorOptions {
  std::optional<int64_t> max_source_length = {};  ///< in tokens; a longer line gets its word labels part by part, and
                                                  ///< its class or numbers from its beginning; absent: what the model
                                                  ///< can read
  int64_t batch_tokens = 4096;                    ///< source tokens, including padding, that a worker reads at once
  std::optional<int64_t> workers = {};            ///< threads that share the model; absent: one per CPU thread, 1 on a
                                                  ///< GPU
  bool operator==(const PredictorOptions&) const = default;
};
void describe(PredictorOptions& o, AnyOptionVisitor auto& visit) {
  visit("max-source-length", o.max_source_length,
        "longest line, in tokens, that is read whole; for a longer one, a class or numbers are predicted from its "
        "beginning, and words are labelled in parts; none: as long as the model can read",
        between(8, 1e9));
  visit("batch-tokens", o.batch_tokens, "batch size: source tokens, padding included, that a worker reads at once",
        between(1, 1e9));
  visit("workers", o.workers, "threads that predict, sharing the model; none: one for each CPU thread, 1 on a GPU",
        at_least(1));
}

/// The most probable label of a line; absent for a blank line.
struct PredictedClass {
  std::optional<int32_t> label;
  std::vector<float> probabilities;  ///< of all labels
};

/// The most probable label of each word.
struct PredictedWords {
  std::vector<int32_t> labels;
  std::vector<std::vector<float>> probabilities;  ///< for each word those of all labels; with a CRF the marginal ones
};

struct PredictedNumbers {
  std::vector<float> numbers;  ///< none for a blank line
};

struct Prediction {
  std::variant<PredictedClass, PredictedWords, PredictedNumbers> predicted;  ///< the same type for all lines of a model
  text::Ids source;                   ///< ids of the source; each has an entry in `attention`
  std::vector<float> attention;       ///< of pooling by attention; it sums to 1 together with that of end-of-sentence
  std::vector<float> item_attention;  ///< of pooling by attention: for each vector that the encoder reads
  bool cut = false;                   ///< whether the line was too long to be read as a whole
};

class Predictor {
 public:
  /// The model must be on `device`. Throws ConfigError unless it has a head.
  Predictor(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, const PredictorOptions& options,
            at::Device device);

  /// Adds a model to the ensemble. Probabilities, numbers and attention become the mean over all models, and a label is
  /// the most probable one (with CRFs by marginal probability). Attention is averaged over the models that have the
  /// same number of positions as the first. The model must be on the same device. option: for messages. Throws
  /// ConfigError unless the model predicts the same from the same kind of source.
  void add_model(std::shared_ptr<models::Model> model, const text::Tokenizers& tokenizers, const std::string& option);

  /// on_batch: called by the workers' threads after each batch, with its number of lines; may throw.
  std::vector<Prediction> predict(std::span<const std::string> lines,
                                  const std::function<void(int64_t lines)>& on_batch = {}) const;
  /// The same for sources with vectors.
  std::vector<Prediction> predict_all(std::span<const SourceLine> sources,
                                      const std::function<void(int64_t lines)>& on_batch = {}) const;
  /// A prediction as a line: the label, the labels or the numbers, separated by spaces.
  std::string text(const Prediction& prediction) const;

  /// Whether each word gets a label.
  bool labels_words() const { return std::holds_alternative<PredictedWords>(blank_.predicted); }

 private:
  struct Part;
  std::vector<Part> parts_of(size_t line, const SourceLine& source) const;
  std::vector<Part> read_words(size_t line, const SourceLine& source) const;
  static void append(Prediction& line, Part&& part);
  static void take_row(Part& part, const models::HeadPrediction& outcome, int64_t row);
  static void take_attention(Part& part, const at::Tensor& attention, size_t row);
  models::Source source_of(std::span<const search::SourceSentence> sentences) const;
  models::WordPlaces word_places(std::span<const Part> parts) const;
  void predict_batch(std::span<Part> parts) const;
  static models::HeadPrediction mean_of(std::span<const models::HeadPrediction> outcomes);

  std::vector<std::shared_ptr<models::Model>> models_;
  Prediction blank_;  // of a blank line
  text::Tokenizers tokenizers_;
  PredictorOptions options_;
  at::Device device_;
  int64_t longest_;
};

}  // namespace heed::translation
