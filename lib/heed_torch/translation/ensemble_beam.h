// Networks of LibTorch in a running search: one network, an ensemble, or networks with a language model
// (heed_torch/search/step_scores.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include "heed/search/beam_model.h"
#include "heed_torch/models/model.h"
#include "heed_torch/search/step_scores.h"

namespace heed::translation {

/// Networks that search as one. All are on one device and have one target vocabulary.
struct Ensemble {
  at::Device device;
  std::vector<std::shared_ptr<models::Model>> members = {};  ///< at least one; a language model if it is the only one
  std::vector<double> weights = {};                          ///< of the members, above 0; empty: all equal
  std::shared_ptr<models::Model> language_model = {};        ///< for shallow fusion; null: none
  double language_model_weight = 0;
};

/// It holds the whole state of the search, so that other searches can use the networks at the same time. The caller
/// must put these in evaluation mode.
class EnsembleBeam : public search::BeamModel {
 public:
  explicit EnsembleBeam(Ensemble networks);

  int64_t vocab_size() const override;
  /// The smallest limit of the networks.
  int64_t max_length() const override;
  void start(std::span<const search::SourceSentence> sources, int64_t beam, bool attention) override;
  void step(const search::StepRequest& request, search::Continuations& found) override;
  void select(std::span<const int64_t> sentences, std::span<const int32_t> parents) override;
  void join(std::span<const search::SourceSentence> sources) override;

 private:
  std::vector<at::Tensor> move_and_upload(const std::vector<at::Tensor>& more);
  search::StepScores scores_of(size_t network, const at::Tensor& tokens) const;
  search::StepScores scores_of_all(const at::Tensor& tokens) const;

  Ensemble ensemble_;
  std::vector<std::shared_ptr<models::Model>> networks_;       // the members, then the language model
  std::vector<std::unique_ptr<models::DecoderState>> states_;  // of the networks; none before the first sentence
  int64_t beam_ = 1;
  bool attention_ = false;
  // The arguments of the last select(), on the CPU. The next step or join applies them, so that everything goes to the
  // device in one copy.
  at::Tensor sentences_, parents_;
};

}  // namespace heed::translation
