#include "heed_torch/interchange/interchange.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/core/files/new_directory.h"
#include "heed/core/text/counted.h"
#include "heed_torch/interchange/common/exchanged_model.h"
#include "heed_torch/interchange/common/refusal.h"
#include "heed_torch/interchange/ctranslate2/ctranslate2.h"
#include "heed_torch/interchange/huggingface/marian.h"

namespace heed::interchange {
namespace {

namespace fs = std::filesystem;

/// A toolkit whose files heed reads and writes.
struct Toolkit {
  Format format;
  const char* file;  // that every model of it has
  ExchangedModel (*read)(const std::string& directory);
  void (*write)(ExchangedModel& model, const std::string& model_directory, const std::string& output);
  void (*require)(const models::ArchitectureOptions& arch, const text::Tokenizers& tokenizers, const Target& target);
};
constexpr std::array kToolkits{
    Toolkit{Format::HuggingFace, "config.json", read_marian, write_marian, require_marian},
    Toolkit{Format::CTranslate2, "model.bin", read_ctranslate2, write_ctranslate2, require_ctranslate2}};

/// option: "--from".
const Toolkit& toolkit(const char* option, std::optional<Format> format, const std::string& what) {
  if (format) return *std::ranges::find(kToolkits, *format, &Toolkit::format);
  std::vector<std::string> names;
  for (const auto& entry : option_names(Format{})) names.emplace_back(entry.second);
  throw ConfigError(std::string("`") + option + "` is missing: name the toolkit " + what + ", " + listed(names, "or"));
}

void require_directory(const char* option, const std::string& path, const char* what) {
  if (path.empty()) throw ConfigError(std::string("`--") + option + "` is missing: name the directory " + what);
}

}  // namespace

std::vector<std::string> import_model(const ImportOptions& options) {
  const Toolkit& other = toolkit("--from", options.from, "whose files they are");
  require_directory("input", options.input, "of the other toolkit's model");
  require_directory("model", options.model, "for the model");
  NewDirectory output("--model", options.model);
  if (!fs::is_directory(options.input)) {
    throw ConfigError("--input", "must be a directory, but " + options.input + " is not one");
  }
  if (!fs::exists(options.input + "/" + other.file)) {
    throw CheckpointError(options.input,
                          fmt::format("is not a model of {}: it has no {}", enum_name(other.format), other.file));
  }
  const ExchangedModel model = other.read(options.input);
  output.fill([&](const std::string& directory) { write_model_directory(model, directory, options.model); });
  return model.left_out;
}

std::vector<std::string> export_model(const ExportOptions& options) {
  const Toolkit& other = toolkit("--to", options.to, "whose files are written");
  require_directory("model", options.model, "of the model");
  require_directory("output", options.output, "for the other toolkit's files");
  NewDirectory output("--output", options.output);
  ExchangedModel model = read_model_directory(options.model);
  output.fill([&](const std::string& directory) { other.write(model, options.model, directory); });
  return model.left_out;
}

std::optional<std::string> export_obstacle(Format to, const models::ArchitectureOptions& arch,
                                           const text::Tokenizers& tokenizers) {
  try {
    toolkit("--to", to, "").require(arch, tokenizers, {});
    return std::nullopt;
  } catch (const Refusal& refusal) {
    return refusal.obstacle();
  }
}

}  // namespace heed::interchange
