// A beam search step by step: the hypotheses that it kept at each step, as a tree.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "heed/search/beam_model.h"
#include "heed/serve/served_model.h"
#include "heed/translation/translation_model.h"

namespace heed::serve {

/// A hypothesis after a step. The root is the first node: begin-of-sentence.
struct SearchNode {
  int32_t token = 0;           ///< the last token
  int64_t parent = -1;         ///< the number of the node that it continues
  int64_t step = 0;            ///< the number of tokens before it, begin-of-sentence included
  double log_probability = 0;  ///< of all its tokens
};

/// A model whose last search of one sentence is recorded. It is used by one thread.
class RecordedSearch : public translation::TranslationModel {
 public:
  explicit RecordedSearch(std::shared_ptr<const translation::TranslationModel> model) : model_(std::move(model)) {}

  const std::vector<SearchNode>& nodes() const { return nodes_; }
  /// The node of the hypothesis with these tokens, before its end-of-sentence; absent: it was not kept.
  std::optional<int64_t> find(std::span<const int32_t> tokens) const;

  std::unique_ptr<search::BeamModel> begin_search() const override;
  std::optional<int64_t> max_source_length() const override { return model_->max_source_length(); }
  bool is_batch_invariant() const override { return model_->is_batch_invariant(); }
  bool on_gpu() const override { return model_->on_gpu(); }
  int64_t default_workers() const override { return 1; }
  void run_jobs(int64_t workers, int64_t jobs, const std::function<void(int64_t job)>& run) const override {
    model_->run_jobs(workers, jobs, run);
  }

 private:
  class Beam;
  std::shared_ptr<const translation::TranslationModel> model_;
  mutable std::vector<SearchNode> nodes_;
};

/// Translates a line once more and returns the tree: its nodes, and the finished hypotheses with their scores, best
/// first. Throws RequestError if the line has several parts, or the model samples.
nlohmann::ordered_json search_tree(const ServedModel& model, TranslationSettings settings,
                                   const translation::SourceLine& line);

}  // namespace heed::serve
