// A model that scores every next token, as tensors. StepModels are translation models, ensembles, models fused with a
// language model, and the fakes in tests. Beam search uses them through LogitsBeam (logits_beam.h).
#pragma once

#include <cstdint>
#include <limits>

#include <ATen/core/Tensor.h>

#include "heed_torch/search/step_source.h"

namespace heed::search {

using at::Tensor;

/// The scores of every next token: log p(token) = logits - logsumexp. On the model's device.
struct StepScores {
  Tensor logits;     ///< float [S, beam, V]; search may write into it
  Tensor logsumexp;  ///< float [S, beam, 1]
  Tensor attention;  ///< float [S, beam, source] if requested in start, else undefined
};

/// One running search over S sentences x beam hypotheses. It is stateful: start, then steps; between steps, sentences
/// are selected and joined. Tensor arguments are on the CPU. The model moves them to its device, and keeps those of
/// select() until the next step or join.
class StepModel {
 public:
  virtual ~StepModel() = default;
  virtual int64_t vocab_size() const = 0;
  /// The length of the longest translation that the model can generate, in tokens without end-of-sentence.
  virtual int64_t max_length() const { return std::numeric_limits<int64_t>::max(); }

  /// Starts a new search for these sources.
  virtual void start(const StepSource& source, int64_t beam, bool attention) = 0;
  /// Reads one token of every hypothesis. tokens: int64 [S, beam] (bos at first).
  virtual StepScores step(const Tensor& tokens) = 0;
  /// Keeps the given sentences; each hypothesis continues its parent. sentences: int64 [S'], parents: int64 [S', beam].
  /// Not called if every hypothesis stays in its place.
  virtual void select(const Tensor& sentences, const Tensor& parents) = 0;
  /// Adds new sentences after the present ones.
  virtual void join(const StepSource& source) = 0;
};

}  // namespace heed::search
