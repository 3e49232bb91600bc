// What commands that use a trained model share: they open it and read pairs of lines.
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

using api::OpenedTorchModel;
/// Sets the threads and opens the model. Throws ConfigError if no model is named.
OpenedTorchModel open_model(const ModelUse& options);

/// The options for an additional model, which is a finished model. Throws ConfigError if `option` names no
/// model.
ModelUse beside(ModelUse use, const std::string& directory, const std::string& option);

/// Throws ConfigError if the model of `option` does not translate. The message says how to use it.
void require_translation_model(const ModelUse& options, const OpenedTorchModel& model,
                               const std::string& option = "model");
/// Throws ConfigError if the model of `option` is not a language model. The message says how to use it.
void require_language_model(const ModelUse& options, const OpenedTorchModel& model,
                            const std::string& option = "model");
/// Throws ConfigError if the model writes text. The message says how to use it.
void require_head(const ModelUse& options, const OpenedTorchModel& model, const std::string& option = "model");

/// Describes `source`, `target` and `pairs` of a command that reads existing translations, and the format of pairs.
void describe_pairs(data::CorpusFiles& files, data::TextFormat& format, OptionVisitor& visit);
/// The format with the command's `invalid-text`.
data::TextFormat format_of(const ModelUse& use, data::TextFormat format);
/// Throws ConfigError if the source files are missing, which a translation model needs.
void require_source(const data::CorpusFiles& files);

using TakePairs = std::function<void(const std::vector<std::string>& sources, const std::vector<std::string>& targets)>;
struct PairBlocks {
  size_t pairs;         ///< number per block
  std::string results;  ///< file for the results; with "-" for standard output, progress is not shown between them
};
/// Reads the files' pairs in blocks and shows progress. If the text can be read twice, errors in it are found before
/// the first block, so that nothing is printed then. Throws ConfigError if an option for rows of pairs has no effect.
void read_pairs(const data::CorpusFiles& files, const data::TextFormat& format, const PairBlocks& blocks,
                const TakePairs& take);

}  // namespace heed::apps
