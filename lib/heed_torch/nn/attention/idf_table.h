// Inverse document frequency, which measures how rare a source token is:
//   idf(w) = ln(N / n_w),
// where N is the number of training source lines and n_w the number of lines that contain the token. A token that
// occurs in no line gets ln N (Sparck Jones 1972, https://doi.org/10.1108/eb026526). The table is a buffer of its
// module, so it is saved with the model.
#pragma once

#include <cstdint>

#include <torch/nn/module.h>

namespace heed::nn {

using at::Tensor;

class IdfTable {
 public:
  virtual ~IdfTable() = default;
  /// lines_with: int64 [V], for each id the number of lines that contain it; lines: N, at least 1.
  void set_document_frequencies(const Tensor& lines_with, int64_t lines);

 protected:
  /// Registers a table of zeros as the module's buffer `idf`.
  void register_table(torch::nn::Module& module, int64_t vocabulary);
  Tensor idf_;  // float [V]
};

/// Sets the values of every table in `module`.
void set_document_frequencies(torch::nn::Module& module, const Tensor& lines_with, int64_t lines);
/// Whether `module` has a table.
bool has_idf_table(torch::nn::Module& module);

}  // namespace heed::nn
