#include "heed/interchange/interchange.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"
#include "heed/interchange/ctranslate2/reader.h"
#include "heed/interchange/ctranslate2/writer.h"
#include "heed/interchange/exchanged_model.h"
#include "heed/interchange/huggingface/marian_reader.h"
#include "heed/interchange/huggingface/marian_writer.h"

namespace heed::interchange {
namespace {

namespace fs = std::filesystem;

/// Whose files heed reads and writes.
struct Toolkit {
  Format format;
  ExchangedModel (*read)(const std::string& directory);
  void (*write)(ExchangedModel& model, const std::string& model_directory, const std::string& output);
};
constexpr std::array kToolkits{Toolkit{Format::HuggingFace, read_marian, write_marian},
                               Toolkit{Format::CTranslate2, read_ctranslate2, write_ctranslate2}};

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

void refuse_to_overwrite(const char* option, const std::string& path) {
  if (!fs::exists(path) || (fs::is_directory(path) && fs::is_empty(path))) return;
  throw ConfigError(option, "must be a new or an empty directory, but " + path + " holds something already");
}

/// Takes away what is in the directory, which is new or empty, where an error comes in between.
template <class Write>
void write_whole(const std::string& directory, const Write& write) {
  const bool is_new = !fs::exists(directory);
  try {
    write();
  } catch (...) {
    std::error_code ignored;
    for (const fs::path& path : fs::directory_iterator(directory, ignored)) fs::remove_all(path, ignored);
    if (is_new) fs::remove(directory, ignored);
    throw;
  }
}

}  // namespace

std::vector<std::string> import_model(const ImportOptions& options) {
  const Toolkit& other = toolkit("--from", options.from, "whose files they are");
  require_directory("input", options.input, "of the other toolkit's model");
  require_directory("model", options.model, "for the model");
  refuse_to_overwrite("--model", options.model);
  if (!fs::is_directory(options.input)) {
    throw ConfigError("--input", "must be a directory, but " + options.input + " is none");
  }
  const ExchangedModel model = other.read(options.input);
  write_model_directory(model, options.model);
  return model.left_out;
}

std::vector<std::string> export_model(const ExportOptions& options) {
  const Toolkit& other = toolkit("--to", options.to, "whose files are written");
  require_directory("model", options.model, "of the model");
  require_directory("output", options.output, "for the other toolkit's files");
  refuse_to_overwrite("--output", options.output);
  ExchangedModel model = read_model_directory(options.model);
  refuse_to_overwrite("--output", options.output);  // meanwhile somebody may have written there
  write_whole(options.output, [&] { other.write(model, options.model, options.output); });
  return model.left_out;
}

}  // namespace heed::interchange
