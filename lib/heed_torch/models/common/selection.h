// Selects the sentences and hypotheses of a decoder's state that continue.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace heed::models {

using at::Tensor;

/// The search decides on the host, but the state is on its device. Both have a copy of the indices, so that the host
/// never waits for the device to read them back.
class Selection {
 public:
  /// For a state on the CPU. sentences: int64 [S'], rows of the present state; parents: int64 [S', beam], beams of that
  /// sentence; both on the CPU.
  Selection(const Tensor& sentences, const Tensor& parents) : Selection(sentences, parents, sentences, parents) {}
  /// The same with copies of the indices on the state's device.
  Selection(const Tensor& host_sentences, const Tensor& host_parents, const Tensor& device_sentences,
            const Tensor& device_parents);

  int64_t size() const { return host_sentences_.size(0); }
  /// int64 [S'] on the CPU.
  const Tensor& host_sentences() const { return host_sentences_; }
  /// int64 [S'] and [S', beam], on the state's device.
  const Tensor& sentences() const { return sentences_; }
  const Tensor& parents() const { return parents_; }
  /// int64 [S' * beam] on the state's device: for each hypothesis, the index among all hypotheses of the one that it
  /// continues.
  Tensor hypotheses() const;

  /// Whether all of `count` sentences keep their places.
  bool keeps_sentences(int64_t count) const;
  /// Whether, in addition, each of their hypotheses continues itself.
  bool keeps_hypotheses(int64_t count) const;

  /// Throws unless each sentence has parents for `beam` hypotheses.
  void check_beam(int64_t beam) const;

 private:
  Tensor host_sentences_, host_parents_, sentences_, parents_;
};

}  // namespace heed::models
