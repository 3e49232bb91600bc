// The interface of all heads. A head turns the encoder output into hidden states if the model has no decoder.
// heed/architecture/head_options.h has the kinds.
#pragma once

#include <memory>

#include <torch/nn/module.h>

#include "heed/architecture/head_options.h"
#include "heed_torch/models/common/memory.h"
#include "heed_torch/nn/losses/crf.h"
#include "heed_torch/nn/output_layer.h"

namespace heed::models {

struct HeadStates {
  Tensor hidden;     ///< float [S, T, d]: T is 1, for labels the source length; the output layer computes logits or
                     ///< numbers from it
  Tensor attention;  ///< float [S, source]: weights of pooling by attention; undefined otherwise
};

/// The words that get labels.
struct WordPlaces {
  Tensor places;  ///< int64 [S, words]: the first token of each word; 0 for padding
  Tensor real;    ///< bool [S, words]
};

struct HeadPrediction {
  Tensor values;     ///< float: probabilities [S, labels], for words [S, words, labels], or numbers [S, numbers]
  Tensor labels;     ///< int64 [S] or [S, words]: the most probable ones; undefined for numbers
  Tensor attention;  ///< see HeadStates
};

class Head : public torch::nn::Module {
 public:
  virtual HeadStates forward(const Memory& memory) = 0;
  /// words: undefined unless the head labels words.
  virtual HeadPrediction predict(const Memory& memory, nn::OutputLayer& output, const WordPlaces& words) = 0;

  /// The CRF that scores the labels of a sentence together; null: labels are independent.
  nn::Crf crf{nullptr};
};

/// The head that predicts numbers. The output layer predicts standardized numbers: minus the mean in the training set,
/// divided by the standard deviation there. Both are buffers, so they are saved with the model.
class NumberHead : public Head {
 public:
  NumberHead(const NumberHeadOptions& options, const MemoryShape& memory, int64_t outputs, double dropout);

  HeadStates forward(const Memory& memory) override;
  HeadPrediction predict(const Memory& memory, nn::OutputLayer& output, const WordPlaces&) override;
  /// mean, deviation: float [outputs]. The deviation of a constant number is 1.
  void set_statistics(const Tensor& mean, const Tensor& deviation);
  /// Conversion of numbers, float [..., outputs], to the output layer's scale and back.
  Tensor standardized(const Tensor& numbers) const;
  Tensor restored(const Tensor& outputs) const;
  NumberLoss loss() const { return loss_; }

 private:
  std::shared_ptr<Head> pooled_;
  Tensor mean_, deviation_;
  NumberLoss loss_;
};

}  // namespace heed::models
