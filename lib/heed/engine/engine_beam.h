// The engine as beam search sees it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/engine/engine_run.h"
#include "heed/search/beam_model.h"

namespace heed::engine {

/// One thread's search; the engine, which must outlive it, is shared.
class EngineBeam : public search::BeamModel {
 public:
  explicit EngineBeam(const Engine& engine);

  int64_t vocab_size() const override { return engine_.output().vocab_size(); }
  int64_t max_length() const override;
  void start(std::span<const search::SourceSentence> sources, int64_t beam, bool attention) override;
  void step(const search::StepRequest& request, search::Continuations& found) override;
  void select(std::span<const int64_t> sentences, std::span<const int32_t> parents) override {
    run_.select(sentences, parents);
  }
  void join(std::span<const search::SourceSentence> sources) override;

 private:
  ChoiceRules rules_for(const search::StepRequest& request);
  void force_ends(const search::StepRequest& request, search::Continuations& found) const;

  const Engine& engine_;
  EngineRun run_;
  bool attention_ = false;
  Output::Scratch output_;
  Choices choices_;
  std::vector<int32_t> barred_;       // what no hypothesis may have, then end-of-sentence
  std::vector<uint8_t> without_end_;  // of each hypothesis
};

}  // namespace heed::engine
