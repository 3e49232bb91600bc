#include "heed/translation/engine_model.h"

#include <utility>

#include "heed/core/error.h"
#include "heed/core/parallel.h"
#include "heed/engine/engine_beam.h"

namespace heed::translation {

EngineModel::EngineModel(std::shared_ptr<const engine::Engine> engine, int64_t threads,
                         std::shared_ptr<const text::ShortList> short_list)
    : engine_(std::move(engine)), threads_(threads), short_list_(std::move(short_list)) {
  check(engine_ && threads_ > 0, "a model on the engine needs an engine and a thread");
}

std::unique_ptr<search::BeamModel> EngineModel::begin_search() const {
  return std::make_unique<engine::EngineBeam>(*engine_, short_list_.get());
}

void EngineModel::run_jobs(int64_t workers, int64_t jobs, const std::function<void(int64_t job)>& run) const {
  parallel_chunks(workers, jobs, 1, [&](int64_t, int64_t job, int64_t) { run(job); });
}

}  // namespace heed::translation
