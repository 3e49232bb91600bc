// The vectors of a run's sources: converts lists of images or audio files to files of vectors, sets the model's options
// from these files, and its statistics from their values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "heed/data/corpus/corpus_files.h"
#include "heed/data/corpus/source_vectors.h"
#include "heed/model_directory/model_options.h"
#include "heed_torch/config/run_options.h"
#include "heed_torch/models/model.h"

namespace heed::config {

/// The vectors of a corpus whose sources are images or audio. They are written next to `path`; the destructor removes
/// them unless keep() was called. Does nothing for other corpora.
class ConvertedMedia {
 public:
  /// path: "DIR/train.vectors". Throws what media/image_list.h and media/log_mel.h say.
  ConvertedMedia(const data::CorpusFiles& files, const std::string& path, const MediaOptions& options, int64_t threads);
  ~ConvertedMedia();
  ConvertedMedia(const ConvertedMedia&) = delete;
  ConvertedMedia& operator=(const ConvertedMedia&) = delete;

  /// The given files, with the vectors instead of the list. Messages show the list's name.
  data::CorpusFiles with(const data::CorpusFiles& files) const;
  /// Moves the vectors to `path`.safetensors and replaces an older file there. Throws FileError.
  void keep();

 private:
  std::string list_;  // empty: there is no list
  std::string made_;  // where the vectors are now
  std::string kept_;  // where keep() moves them
};

/// Sets options of vectors that are absent to the values of the training file. Throws what VectorFile throws, and
/// ConfigError if given options contradict the file.
void adopt_vector_form(RunOptions& options);

/// Throws Error if a grid is larger than the model's positions allow.
void require_positions(const GridShape& shape, const models::VectorOptions& options);

/// Opens the vectors in `path` as the model reads them; null for "". Throws what VectorFile throws. Throws InputError
/// if they do not have the model's form, or if an item is larger than its positions allow.
std::shared_ptr<const data::SourceVectors> open_vectors(const std::string& path, const models::VectorOptions& options);

/// Measures the mean and standard deviation of the vectors, with which the model standardizes them.
void measure_vectors(models::Model& model, const data::SourceVectors& vectors);

}  // namespace heed::config
