// The model interface of a Translator and of a Generator: one model or an ensemble, on any device.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "heed/search/beam_model.h"

namespace heed::translation {

/// A model that the workers of a translation share; for a Generator, a language model.
class TranslationModel {
 public:
  virtual ~TranslationModel() = default;

  /// A new search for one worker. This model must outlive it.
  virtual std::unique_ptr<search::BeamModel> begin_search() const = 0;
  /// The maximum source length in tokens, with end-of-sentence; none: no limit.
  virtual std::optional<int64_t> max_source_length() const = 0;
  /// Whether a sentence's result is bit-identical in every batch.
  virtual bool is_batch_invariant() const = 0;

  /// Whether all workers share one GPU: it runs their work one after the other, and large batches nearly as fast as
  /// small ones.
  virtual bool on_gpu() const = 0;
  /// The default number of workers.
  virtual int64_t default_workers() const = 0;
  /// Calls run(job), which runs searches, for each job in [0, jobs). Each worker takes the next job when it is free.
  /// The first exception ends the work and is rethrown here.
  virtual void run_jobs(int64_t workers, int64_t jobs, const std::function<void(int64_t job)>& run) const = 0;
};

}  // namespace heed::translation
