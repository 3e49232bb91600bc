// Inverse document frequency, a measure of how rare a source token is:
//   idf(w) = ln(N / n_w),
// N the number of training source lines and n_w how many of them have the token; a token in none counts ln N (Sparck
// Jones 1972, https://doi.org/10.1108/eb026526). A module's table is a buffer: it is saved with the model.
#pragma once

#include <cstdint>

#include <torch/nn/module.h>

namespace heed::nn {

using at::Tensor;

class IdfTable {
 public:
  virtual ~IdfTable() = default;
  /// lines_with: int64 [V], for each id the lines that have it; lines: N, at least 1.
  void set_document_frequencies(const Tensor& lines_with, int64_t lines);

 protected:
  /// A table of zeros, as a buffer `idf` of the module.
  void register_table(torch::nn::Module& module, int64_t vocabulary);
  Tensor idf_;  // float [V]
};

/// Gives every table in `module` its values.
void set_document_frequencies(torch::nn::Module& module, const Tensor& lines_with, int64_t lines);
/// Whether there is a table in `module`.
bool has_idf_table(torch::nn::Module& module);

}  // namespace heed::nn
