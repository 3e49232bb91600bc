// A model of the inference engine, for a Translator.
#pragma once

#include <memory>

#include "heed/engine/engine.h"
#include "heed/text/short_list.h"
#include "heed/translation/translation_model.h"

namespace heed::translation {

class EngineModel : public TranslationModel {
 public:
  /// threads: CPU threads, one worker on each. short_list: for the model's vocabularies; null: every token may follow.
  EngineModel(std::shared_ptr<const engine::Engine> engine, int64_t threads,
              std::shared_ptr<const text::ShortList> short_list = nullptr);

  const engine::Engine& engine() const { return *engine_; }

  std::unique_ptr<search::BeamModel> begin_search() const override;
  std::optional<int64_t> max_source_length() const override { return engine_->max_source_length(); }
  bool is_batch_invariant() const override { return true; }
  bool on_gpu() const override { return false; }
  int64_t default_workers() const override { return threads_; }
  void run_jobs(int64_t workers, int64_t jobs, const std::function<void(int64_t job)>& run) const override;

 private:
  std::shared_ptr<const engine::Engine> engine_;
  int64_t threads_;
  std::shared_ptr<const text::ShortList> short_list_;
};

}  // namespace heed::translation
