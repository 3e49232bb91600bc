#include "heed/command_line/former_names.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace heed::config {
namespace {

constexpr auto kFormerNames = std::to_array<FormerName>({
    {"arch.decoder.choice", "arch.decoder.attention-function"},
    {"arch.decoder.look-ahead-mask", "arch.decoder.causal-mask"},
    {"arch.head.error", "arch.head.loss"},
    {"data.columns", "data.batch-size"},
    {"data.mix", "data.corpus-weights"},
    {"data.parts", "data.micro-batches"},
    {"data.parts-in-all", "data.total-micro-batches"},
    {"data.steps", "data.bptt-length"},
    {"data.update-tokens", "data.batch-tokens"},
    {"data.window", "data.shuffle-window"},
    {"pictures.color", "images.color"},
    {"search.read-ahead", "search.buffer-lines"},
    {"search.refill", "search.continuous-batching"},
    {"search.window", "search.buffer-lines"},
    {"short-list", "shortlist"},
    {"sounds.high", "audio.high"},
    {"sounds.hop", "audio.hop"},
    {"sounds.low", "audio.low"},
    {"sounds.mels", "audio.mels"},
    {"sounds.rate", "audio.rate"},
    {"sounds.window", "audio.window"},
    {"source-pictures", "source-images"},
    {"source-sounds", "source-audio"},
    {"train.adapter.beside", "train.adapter.modules-to-save"},
    {"train.adapter.maps", "train.adapter.target-modules"},
    {"train.max-bad-updates", "train.max-nonfinite-steps"},
    {"train.max-updates", "train.max-steps"},
    {"valid-source-pictures", "valid-source-images"},
    {"valid-source-sounds", "valid-source-audio"},
    {"valid.minimum-gain", "valid.min-delta"},
});

}  // namespace

std::span<const FormerName> all_former_names() { return kFormerNames; }

std::string_view present_name(std::string_view name) {
  const auto* found = std::ranges::find(kFormerNames, name, &FormerName::former);
  return found == kFormerNames.end() ? name : found->present;
}

std::vector<std::string_view> former_names(std::string_view present) {
  std::vector<std::string_view> names;
  for (const FormerName& entry : kFormerNames) {
    if (entry.present == present) names.push_back(entry.former);
  }
  return names;
}

std::string with_typed_names(std::string message, std::span<const std::string> arguments) {
  const std::string text = message;
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (!argument.starts_with("--")) continue;
    const std::string_view typed = std::string_view(argument).substr(2, argument.find('=') - 2);
    const std::string_view present = present_name(typed);
    if (present == typed) continue;
    const bool named =
        text.find(fmt::format("`{}`", present)) != text.npos || text.find(fmt::format("`--{}`", present)) != text.npos;
    if (named) message += fmt::format("; `--{}` is now `--{}`", typed, present);
  }
  return message;
}

}  // namespace heed::config
