#include "heed/interchange/interchange.h"

#include <filesystem>

#include "heed/core/error.h"
#include "heed/interchange/exchanged_model.h"
#include "heed/interchange/huggingface/marian_reader.h"
#include "heed/interchange/huggingface/marian_writer.h"

namespace heed::interchange {
namespace {

namespace fs = std::filesystem;

void require_directory(const char* option, const std::string& path, const char* what) {
  if (path.empty()) throw ConfigError(std::string("`--") + option + "` is missing: name the directory " + what);
}

void refuse_to_overwrite(const char* option, const std::string& path) {
  if (!fs::exists(path) || (fs::is_directory(path) && fs::is_empty(path))) return;
  throw ConfigError(option, "must be a new or an empty directory, but " + path + " holds something already");
}

}  // namespace

std::vector<std::string> import_model(const ImportOptions& options) {
  if (!options.from) throw ConfigError("`--from` is missing: name the toolkit whose files they are, huggingface");
  require_directory("input", options.input, "of the other toolkit's model");
  require_directory("model", options.model, "for the model");
  refuse_to_overwrite("--model", options.model);
  if (!fs::is_directory(options.input)) {
    throw ConfigError("--input", "must be a directory, but " + options.input + " is none");
  }
  const ExchangedModel model = read_marian(options.input);
  write_model_directory(model, options.model);
  return model.left_out;
}

std::vector<std::string> export_model(const ExportOptions& options) {
  if (!options.to) throw ConfigError("`--to` is missing: name the toolkit whose files are written, huggingface");
  require_directory("model", options.model, "of the model");
  require_directory("output", options.output, "for the other toolkit's files");
  refuse_to_overwrite("--output", options.output);
  ExchangedModel model = read_model_directory(options.model);
  write_marian(model, options.model, options.output);
  return model.left_out;
}

}  // namespace heed::interchange
