// Shared by the commands that use a trained model: opening it, and reading pairs of lines.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "heed/core/options.h"
#include "heed/data/corpus/corpus_files.h"
#include "heed/data/corpus/text_format.h"
#include "heed_torch/api/torch_model.h"
#include "translate/model_use.h"

namespace heed::apps {

using api::UsedModel;
/// Sets the threads and opens the model. Throws ConfigError when none is named.
UsedModel open_model(const ModelUse& options);

/// How a model beside the first is used, whose checkpoint is its own. Throws ConfigError where `option` names none.
ModelUse beside(ModelUse use, const std::string& directory, const std::string& option);

/// Throws ConfigError saying what else to do with it when the model that `option` names does not translate.
void require_translation_model(const ModelUse& options, const UsedModel& model, const std::string& option = "model");
/// Throws ConfigError saying what else to do with it when the model that `option` names is no language model.
void require_language_model(const ModelUse& options, const UsedModel& model, const std::string& option = "model");
/// Throws ConfigError saying what else to do with it when the model writes text.
void require_head(const ModelUse& options, const UsedModel& model, const std::string& option = "model");

/// `source`, `target` and `pairs` of a command that reads translations that exist, and how rows of pairs are read.
void describe_pairs(data::CorpusFiles& files, data::TextFormat& format, OptionVisitor& visit);
/// The format with the command's `invalid-text`.
data::TextFormat format_of(const ModelUse& use, data::TextFormat format);
/// Throws ConfigError when the files have no source, which a translation model needs.
void require_source(const data::CorpusFiles& files);

using TakePairs = std::function<void(const std::vector<std::string>& sources, const std::vector<std::string>& targets)>;
struct PairBlocks {
  size_t pairs;         ///< of each block
  std::string results;  ///< the file for the results, "-" for standard output: progress is not shown in their midst
};
/// Gives the pairs of the files in blocks, and shows how far it is. What is wrong with the text is found before the
/// first one where it can be read twice: nothing is printed then. Throws ConfigError where an option for rows of pairs
/// has no effect.
void read_pairs(const data::CorpusFiles& files, const data::TextFormat& format, const PairBlocks& blocks,
                const TakePairs& take);

}  // namespace heed::apps
