// Models that other toolkits trained as model directories, and the way back (`heed import`, `heed export`).
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

/// Whose files there are on the other side.
enum class Format {
  HuggingFace,  ///< of transformers: MarianMT
  CTranslate2,  ///< its TransformerSpec
};
constexpr auto option_names(Format) {
  using Name = std::pair<Format, std::string_view>;
  return std::array{Name{Format::HuggingFace, "huggingface"}, Name{Format::CTranslate2, "ctranslate2"}};
}

struct ImportOptions {
  std::optional<Format> from;
  std::string input;  ///< the other's directory
  std::string model;  ///< a directory that is new or empty
};
void describe(ImportOptions& o, AnyOptionVisitor auto& visit) {
  visit("from", o.from,
        "whose files they are: huggingface (MarianMT models of transformers, such as OPUS-MT's) or ctranslate2");
  visit("input", o.input, "`DIR` with the other toolkit's model");
  visit("model", o.model, "`DIR` for the model directory: a new directory, or an empty one");
}

/// Writes a model directory that `heed translate` and the others open. Gives what was left out, a sentence each. Throws
/// ConfigError for an option that is missing, or where the model directory holds something; CheckpointError, FileError,
/// InputError where the other model is damaged, or is none that heed has. The model directory appears whole or not at
/// all (NewDirectory).
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

/// Writes a model directory's finished model as the other toolkit has it. Gives what was left out, a sentence each.
/// Throws ConfigError as import_model; CheckpointError where the model has what the other cannot hold; FileError. The
/// output appears whole or not at all.
std::vector<std::string> export_model(const ExportOptions& options);

/// What keeps a model of this architecture from being exported, before it is trained: "another norm order than post
/// (`arch.encoder.norm-order`)". Absent: nothing does.
std::optional<std::string> export_obstacle(Format to, const models::ArchitectureOptions& arch,
                                           const text::Tokenizers& tokenizers);

}  // namespace heed::interchange
