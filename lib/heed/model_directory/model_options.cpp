#include "heed/model_directory/model_options.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "heed/command_line/settings_file.h"

namespace heed::config {

models::VocabularySizes vocabulary_sizes(const text::Tokenizers& tokenizers) {
  return {.source = tokenizers.source ? tokenizers.source->size() : 0, .target = tokenizers.target->size()};
}

static void describe(ModelOptions& o, OptionVisitor& visit) {
  visit.section("arch", o.arch, "architecture of the model");
  describe(o.media, visit);
  visit.section("search", o.search, "search: defaults of the model's translations");
}

ModelOptions read_model_options(const std::string& path) {
  Layer settings = read_model_settings(path);
  std::erase_if(settings, [](const Setting& setting) {
    constexpr auto kRead = std::to_array<std::string_view>({"arch.", "images.", "audio.", "search."});
    return std::ranges::none_of(kRead, [&](std::string_view section) { return setting.name.starts_with(section); });
  });
  ModelOptions options;
  apply_layers(visit_options(options), {settings});
  return options;
}

}  // namespace heed::config
