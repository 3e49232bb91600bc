// A model that scores every next token, as tensors: a translation model, an ensemble, a model fused with a language
// model, and the fakes of the tests are all StepModels. Beam search sees them through LogitsBeam (logits_beam.h).
#pragma once

#include <cstdint>
#include <limits>

#include <ATen/core/Tensor.h>

#include "heed_torch/search/step_source.h"

namespace heed::search {

using at::Tensor;

/// The scores of every next token. log p(token) = logits - logsumexp. On the model's device.
struct StepScores {
  Tensor logits;     ///< float [S, beam, V]; search may write into it
  Tensor logsumexp;  ///< float [S, beam, 1]
  Tensor attention;  ///< float [S, beam, source] if asked for at start, else undefined
};

/// One running search over S sentences x beam hypotheses. Stateful: start, then steps, between which sentences are
/// selected and joined. The tensors passed in lie on the CPU; the model moves them to its device, and keeps those of
/// select() until the next step or join.
class StepModel {
 public:
  virtual ~StepModel() = default;
  virtual int64_t vocab_size() const = 0;
  /// The tokens of the longest translation it can make, end-of-sentence not counted.
  virtual int64_t max_length() const { return std::numeric_limits<int64_t>::max(); }

  /// Begins anew with these sources.
  virtual void start(const StepSource& source, int64_t beam, bool attention) = 0;
  /// Consumes one token of every hypothesis. tokens: int64 [S, beam] (bos at first).
  virtual StepScores step(const Tensor& tokens) = 0;
  /// Keeps these sentences; each beam continues its parent. sentences: int64 [S'], parents: int64 [S', beam].
  /// Not called after a step that leaves every hypothesis in its place.
  virtual void select(const Tensor& sentences, const Tensor& parents) = 0;
  /// Admits waiting sentences behind the present ones.
  virtual void join(const StepSource& source) = 0;
};

}  // namespace heed::search
