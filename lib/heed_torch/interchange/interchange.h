// Converts models of other toolkits to model directories, and back (`heed import`, `heed export`).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/architecture/architecture.h"
#include "heed/core/options.h"
#include "heed/text/tokenizer.h"

namespace heed::interchange {

/// The toolkit on the other side.
enum class Format {
  HuggingFace,  ///< transformers: MarianMT
  CTranslate2,  ///< CTranslate2's TransformerSpec
};
constexpr auto option_names(Format) {
  using Name = std::pair<Format, std::string_view>;
  return std::array{Name{Format::HuggingFace, "huggingface"}, Name{Format::CTranslate2, "ctranslate2"}};
}

struct ImportOptions {
  std::optional<Format> from;
  std::string input;  ///< the other toolkit's directory
  std::string model;  ///< a directory that is new or empty
};
void describe(ImportOptions& o, AnyOptionVisitor auto& visit) {
  visit("from", o.from,
        "whose files they are: huggingface (MarianMT models of transformers, such as OPUS-MT's) or ctranslate2");
  visit("input", o.input, "`DIR` with the other toolkit's model");
  visit("model", o.model, "`DIR` for the model directory: a new directory, or an empty one");
}

/// Writes a model directory for `heed translate` and other commands. Returns what was left out, one sentence each. The
/// model directory appears whole or not at all (NewDirectory).
///
/// Throws ConfigError for a missing option, or if the model directory is not empty. Throws CheckpointError, FileError,
/// InputError if the other model is damaged, or heed does not support it.
std::vector<std::string> import_model(const ImportOptions& options);

struct ExportOptions {
  std::optional<Format> to;
  std::string model;   ///< a model directory
  std::string output;  ///< a directory that is new or empty
};
void describe(ExportOptions& o, AnyOptionVisitor auto& visit) {
  visit("to", o.to, "whose files are written: huggingface (MarianMT models of transformers) or ctranslate2");
  visit("model", o.model, "`DIR`: the model directory");
  visit("output", o.output, "`DIR` for the other toolkit's files: a new directory, or an empty one");
}

/// Writes the finished model of a model directory in the other toolkit's format. Returns what was left out, one
/// sentence each. The output appears whole or not at all. Throws ConfigError as import_model; CheckpointError if the
/// other toolkit cannot hold the model; FileError.
std::vector<std::string> export_model(const ExportOptions& options);

/// What prevents the export of a model of this architecture, known before training: "another norm order than post
/// (`arch.encoder.norm-order`)". Absent if nothing does.
std::optional<std::string> export_obstacle(Format to, const models::ArchitectureOptions& arch,
                                           const text::Tokenizers& tokenizers);

}  // namespace heed::interchange
