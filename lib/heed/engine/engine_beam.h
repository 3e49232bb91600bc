// The inference engine as a BeamModel, for beam search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/engine/engine_run.h"
#include "heed/search/beam_model.h"
#include "heed/text/short_list.h"

namespace heed::engine {

/// A search of one thread. Searches share the engine, which must outlive them.
class EngineBeam : public search::BeamModel {
 public:
  /// short_list: for the model's vocabularies, must outlive this; null: every token may follow.
  explicit EngineBeam(const Engine& engine, const text::ShortList* short_list = nullptr);

  int64_t vocab_size() const override { return engine_.output().vocab_size(); }
  int64_t max_length() const override { return run_.max_length(); }
  void start(std::span<const search::SourceSentence> sources, int64_t beam, bool attention) override;
  void step(const search::StepRequest& request, search::Continuations& found) override;
  void select(std::span<const int64_t> sentences, std::span<const int32_t> parents) override;
  void join(std::span<const search::SourceSentence> sources) override;

 private:
  void add_lists(std::span<const search::SourceSentence> sources);
  void take_live(const search::StepRequest& request);
  void give_rows(const Rows& hidden, const search::LogProbabilityCallback& take);
  void keep_attention(const search::StepRequest& request, search::Continuations& found);
  TopKRules rules_for(const search::StepRequest& request);
  void add_lists_to(TopKRules& rules, const search::StepRequest& request);
  void keep_asked(const search::StepRequest& request, search::Continuations& found) const;
  void keep_best(const search::StepRequest& request, search::Continuations& found) const;
  void force_end(size_t row, size_t beam_row, int64_t count, search::Continuations& found) const;

  const Engine& engine_;
  const text::ShortList* short_list_;
  std::vector<std::vector<int32_t>> lists_;  // per sentence, if there is a shortlist
  EngineRun run_;
  bool attention_ = false;
  Output::Scratch output_;
  TopK best_;
  std::vector<int64_t> live_;         // per sentence: the number of computed hypotheses
  std::vector<int64_t> beam_rows_;    // per computed hypothesis: its index among all S * beam
  std::vector<int32_t> tokens_;       // per computed hypothesis
  std::vector<int32_t> barred_;       // tokens excluded for all hypotheses, then end-of-sentence
  std::vector<uint8_t> without_end_;  // per computed hypothesis
  search::TokenLists barred_lists_;   // per computed hypothesis, if the request has any
  search::TokenLists asked_;          // per computed hypothesis, if the request has any
};

}  // namespace heed::engine
