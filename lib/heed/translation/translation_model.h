// What a Translator translates with: a model, or several that search together, wherever they compute.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "heed/search/beam_model.h"

namespace heed::translation {

/// Shared by the workers of a translation.
class TranslationModel {
 public:
  virtual ~TranslationModel() = default;

  /// A search of one worker's, which this must outlive.
  virtual std::unique_ptr<search::BeamModel> begin_search() const = 0;
  /// The longest source that it can read, in tokens (end-of-sentence counted), if there is a limit.
  virtual std::optional<int64_t> max_source_length() const = 0;
  /// Whether a sentence has the same bits whatever stands beside it in a batch.
  virtual bool same_in_any_batch() const = 0;

  /// Whether all workers share one device that takes their work in turn and large batches nearly as fast as small ones:
  /// a GPU.
  virtual bool on_gpu() const = 0;
  /// The workers of a translation unless their number is asked for.
  virtual int64_t usual_workers() const = 0;
  /// Calls run(job) for each job in [0, jobs), each of the workers taking the next one; searches run in there. The
  /// first exception ends the work and is thrown here.
  virtual void run_jobs(int64_t workers, int64_t jobs, const std::function<void(int64_t job)>& run) const = 0;
};

}  // namespace heed::translation
