#include "heed/api/engine_road.h"

#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "heed/checkpoint/manifest.h"
#include "heed/core/allocation.h"
#include "heed/core/error.h"
#include "heed/core/parallel.h"
#include "heed/core/text/shell_word.h"
#include "heed/engine/engine.h"
#include "heed/text/short_list.h"
#include "heed/translation/engine_model.h"

namespace heed::api {
namespace {

std::shared_ptr<const text::ShortList> open_short_list(const std::string& model, const models::VocabularySizes& sizes) {
  const std::string path = model + "/" + text::kShortListFile;
  if (!std::filesystem::exists(path)) {
    throw ConfigError("--short-list", fmt::format("needs a short-list, which {} does not have: `heed shortlist --model "
                                                  "{}` makes one",
                                                  model, shell_path(model)));
  }
  return std::make_shared<const text::ShortList>(path, sizes.source, sizes.target);
}

}  // namespace

int64_t threads_of(int64_t asked) { return asked > 0 ? asked : available_cores(); }

std::shared_ptr<const translation::TranslationModel> on_engine(const EngineUse& use, const std::string& directory,
                                                               const config::ModelOptions& options,
                                                               const text::Tokenizers& tokenizers,
                                                               const std::string& parameters) {
  reuse_large_allocations();
  prefer_large_pages(std::filesystem::file_size(parameters));  // packed weights are read through at every step
  const models::VocabularySizes sizes = config::vocabulary_sizes(tokenizers);
  const int64_t threads = threads_of(use.threads);
  const auto engine = std::make_shared<const engine::Engine>(options.arch, sizes, parameters,
                                                             engine::precision_of(use.precision), threads);
  std::shared_ptr<const text::ShortList> short_list;
  if (use.short_list) short_list = open_short_list(directory, sizes);
  return std::make_shared<translation::EngineModel>(engine, threads, short_list);
}

void set_splitting(translation::Translator& translator, translation::SplitRule rule, const std::string& directory) {
  std::optional<int64_t> usual;
  if (rule == translation::SplitRule::Auto) usual = checkpoint::read_manifest(directory).usual_source_length;
  translator.split(rule, usual);
}

}  // namespace heed::api
