#include "heed_torch/config/setup/start_facts.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "heed/command_line/option_list.h"
#include "heed/core/enum_names.h"
#include "heed/core/machine.h"
#include "heed/kernels/instructions.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/resume_rules.h"

namespace heed::config {
namespace {

/// The preset, the task and which kinds of text there are: defaults follow from these. The names of files do not
/// matter.
Layer same_task(RunOptions options) {
  constexpr auto kOthers = std::to_array<std::string_view>({"model", "from", "from-part", "seed", "device", "threads"});
  constexpr auto kValues = std::to_array<std::string_view>({"preset", "task", "weight-column"});
  const auto is_any_of = [](const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
  };
  Layer layer;
  for (const OptionValue& option : option_values(visit_options(options))) {
    const bool given = !option.values.empty() && !option.values[0].empty();
    if (!option.section.empty() || is_any_of(kOthers, option.name) || !given) continue;
    const bool has_value = is_any_of(kValues, option.name);
    layer.push_back({.name = option.name, .values = has_value ? option.values : std::vector<std::string>{"file"}});
  }
  return layer;
}

}  // namespace

report::StartFacts start_facts(const RunOptions& options) {
  std::error_code gone;
  return {.folder = std::filesystem::current_path(gone),
          .processor = fmt::format("{}, {}", processor_name(), kernels::vector_instructions()),
          .memory = machine_memory(),
          .preset = std::string(enum_name(options.preset)),
          .options = option_changes(read_run_options({}, same_task(options)), options)};
}

}  // namespace heed::config
