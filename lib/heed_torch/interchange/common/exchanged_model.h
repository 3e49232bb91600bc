// A model that is converted between two toolkits, in heed's terms: the part of it that a model directory holds.
#pragma once

#include <string>
#include <vector>

#include "heed/architecture/architecture.h"
#include "heed/search/search_options.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::interchange {

struct ExchangedModel {
  models::ArchitectureOptions arch;
  search::SearchOptions search;
  text::Tokenizers tokenizers;
  checkpoint::NamedTensors tensors;   ///< float32, by the names of models::Model
  std::vector<std::string> left_out;  ///< what the other toolkit does not support, one sentence each
};

/// Throws CheckpointError, naming `path`, if tensors do not fit the architecture and the vocabularies.
void require_whole(const ExchangedModel& model, const std::string& path);

/// Reads the finished model of a directory. Throws CheckpointError, FileError, ConfigError.
ExchangedModel read_model_directory(const std::string& directory);

/// Writes into an empty directory. final_name: the directory's final name, for the paths in its configuration. Throws
/// FileError, CheckpointError.
void write_model_directory(const ExchangedModel& model, const std::string& directory, const std::string& final_name);

}  // namespace heed::interchange
