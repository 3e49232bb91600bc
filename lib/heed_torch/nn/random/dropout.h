// Inverted dropout (Srivastava et al. 2014, https://jmlr.org/papers/v15/srivastava14a.html): an element becomes 0 with
// probability p, the others are divided by 1 - p. So the expectation is x, and translation needs no scaling.
//
// The mask is a function of (key, element index in contiguous order). The key is that of the next draw of the open
// nn::RandomScope. On the CPU the mask is computed while it is applied, and computed again in the backward pass. So it
// is not stored, and the number of threads does not matter. On other devices a torch generator seeded with the key
// samples the mask, which is stored for the backward pass. So CUDA runs have other masks than CPU runs.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace heed::nn {

using at::Tensor;

/// x with dropout (write nn::dropout, since at::dropout would also match). x: floating point, any shape; the result has
/// the same shape and dtype. probability: in [0, 1), rounded to steps of 2^-16, at least one step unless it is 0; the
/// scale matches the rounded value. Returns x itself if `training` is false or probability is 0; otherwise takes one
/// draw of the open RandomScope.
Tensor dropout(const Tensor& x, double probability, bool training);

/// residual + dropout(x) in one pass, for residual branches. residual and x have the same shape.
Tensor dropout_add(const Tensor& residual, const Tensor& x, double probability, bool training);

/// Word dropout (Sennrich et al. 2016, https://aclanthology.org/W16-2323; the data dropout of UniDrop, Wu et al.
/// 2021, https://aclanthology.org/2021.naacl-main.302): the vector of a token becomes 0 with this probability. The
/// others are not scaled: in translation no word is missing, and a word has the length that it had in training. x:
/// float [..., tokens, d]. Otherwise as dropout().
Tensor word_dropout(const Tensor& x, double probability, bool training);

}  // namespace heed::nn
