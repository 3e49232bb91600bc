// What a model with a head says of raw lines: a label, a label for each word, or numbers. N lines in, N predictions
// out, in their order; a blank line has an empty one. Programs and validation both predict with this class.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <c10/core/Device.h>

#include "heed/core/options.h"
#include "heed/search/beam_model.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/source_line.h"
#include "heed_torch/models/model.h"

namespace heed::translation {

/// Predictions do not depend on any of these, but for the length at which lines are cut, and for rounding.
struct PredictorOptions {
  std::optional<int64_t> max_source_length = {};  ///< tokens; of a longer line the labels are found in parts, and a
                                                  ///< class or numbers from its begin; absent: what the model can read
  int64_t batch_tokens = 4096;                    ///< source tokens, padding included, that a worker reads at once
  std::optional<int64_t> workers = {};            ///< threads that share the model; none: one a CPU thread, 1 on a GPU
  bool operator==(const PredictorOptions&) const = default;
};
void describe(PredictorOptions& o, AnyOptionVisitor auto& visit) {
  visit("max-source-length", o.max_source_length,
        "longest line, in tokens, that is read whole; of a longer one a class or numbers are told from its begin, and "
        "words are labelled in parts; none: as long as the model can read",
        between(8, 1e9));
  visit("batch-tokens", o.batch_tokens, "batch size: source tokens, padding included, that a worker reads at once",
        between(1, 1e9));
  visit("workers", o.workers, "threads that predict, sharing the model; none: one for each CPU thread, 1 on a GPU",
        at_least(1));
}

struct Prediction {
  std::vector<int32_t> labels;                    ///< the most probable: one for a class, else one for each word
  std::vector<std::vector<float>> probabilities;  ///< for each of `labels` those of all labels; with a conditional
                                                  ///< random field the marginal ones
  std::vector<float> numbers;
  text::Ids source;                   ///< the ids read, of which each has an attention
  std::vector<float> attention;       ///< of pooling by attention, which adds up to 1 with that of end-of-sentence
  std::vector<float> item_attention;  ///< of pooling by attention: on each of the vectors that the encoder reads
  bool cut = false;                   ///< the line was too long to be read whole
};

class Predictor {
 public:
  /// The model must lie on `device`. Throws ConfigError unless it has a head.
  Predictor(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, const PredictorOptions& options,
            at::Device device);

  /// From now on predictions are an ensemble's: probabilities, numbers and attention are the mean of all models', and
  /// a label is the most probable one (also with conditional random fields, whose marginal probabilities these are).
  /// Attention is that of the models that read as many positions as the first. The model must lie on the same device.
  /// option: names it in messages. Throws ConfigError unless the model makes the same of the same kind of source.
  void add_model(std::shared_ptr<models::Model> model, const text::Tokenizers& tokenizers, const std::string& option);

  /// on_batch: called from the workers' threads behind each batch, with its lines; may throw.
  std::vector<Prediction> predict(std::span<const std::string> lines,
                                  const std::function<void(int64_t lines)>& on_batch = {}) const;
  /// The same of sources that have vectors.
  std::vector<Prediction> predict_all(std::span<const SourceLine> sources,
                                      const std::function<void(int64_t lines)>& on_batch = {}) const;
  /// A prediction as a line: the label, the labels or the numbers, one space between them.
  std::string text(const Prediction& prediction) const;

  text::TargetKind kind() const { return tokenizers_.target->target_kind(); }

 private:
  struct Part;
  std::vector<Part> parts_of(size_t line, const SourceLine& source) const;
  std::vector<Part> read_words(size_t line, const SourceLine& source) const;
  static void append(Prediction& line, Part&& part);
  static void take_attention(Part& part, const at::Tensor& attention, size_t row);
  models::Source source_of(std::span<const search::SourceSentence> sentences) const;
  void predict_batch(std::span<Part> parts) const;
  struct WordPlaces;
  struct Outcome;
  Outcome ask(models::Model& model, const models::Source& source, const WordPlaces& words) const;
  static Outcome mean_of(std::span<const Outcome> outcomes);
  void take(std::span<Part> parts, const Outcome& outcome) const;

  std::vector<std::shared_ptr<models::Model>> models_;
  text::Tokenizers tokenizers_;
  PredictorOptions options_;
  at::Device device_;
  int64_t longest_;
};

}  // namespace heed::translation
