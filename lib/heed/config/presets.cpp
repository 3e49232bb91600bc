#include "heed/config/presets.h"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/config/settings_file.h"

namespace heed::config {
namespace {

// A corpus of ten thousands of sentences on a CPU (Multi30k); sizes of Wu et al. 2021,
// https://aclanthology.org/2021.acl-long.480, section 4.2.
constexpr std::string_view kTiny = R"([arch]
d-model = 128
dropout = 0.3
tied-embeddings = "all"
[arch.encoder]
layers = 4
heads = 4
norm-order = "pre"
[arch.encoder.feed-forward]
hidden = 256
[arch.decoder]
layers = 4
heads = 4
norm-order = "pre"
[arch.decoder.feed-forward]
hidden = 256
[train]
max-updates = 20000
[train.schedule]
learning-rate = 0.005
warmup = 2000
)";

// Some 100,000 sentences (IWSLT) on one GPU; fairseq's transformer_iwslt_de_en.
constexpr std::string_view kSmall = R"([text]
vocab-size = 10000
[data]
update-tokens = 8000
parts = 2
[arch]
dropout = 0.3
tied-embeddings = "all"
[arch.encoder]
heads = 4
norm-order = "pre"
[arch.encoder.feed-forward]
hidden = 1024
[arch.decoder]
heads = 4
norm-order = "pre"
[arch.decoder.feed-forward]
hidden = 1024
[train]
max-updates = 50000
[train.schedule]
warmup = 4000
[valid]
every = 1000
)";

// Millions of sentences (WMT): the base model of Vaswani et al. 2017, table 3.
constexpr std::string_view kBase = R"([text]
vocab-size = 32000
[data]
update-tokens = 25000
parts = 4
[arch]
tied-embeddings = "all"
[train]
max-updates = 100000
[train.schedule]
learning-rate = 0.0007
warmup = 4000
[valid]
every = 2000
)";

// The big model of the same table.
constexpr std::string_view kBig = R"([text]
vocab-size = 32000
[data]
update-tokens = 25000
parts = 8
[arch]
d-model = 1024
dropout = 0.3
tied-embeddings = "all"
[arch.encoder]
heads = 16
[arch.encoder.feed-forward]
hidden = 4096
[arch.decoder]
heads = 16
[arch.decoder.feed-forward]
hidden = 4096
[train]
max-updates = 300000
[train.schedule]
learning-rate = 0.0005
warmup = 4000
[valid]
every = 5000
)";

/// The columns of the table: a title, and the options whose values stand below it.
const std::vector<std::pair<std::string, std::vector<std::string>>> kColumns{
    {"width", {"arch.d-model"}},
    {"layers", {"arch.encoder.layers", "arch.decoder.layers"}},
    {"heads", {"arch.encoder.heads"}},
    {"feed-forward", {"arch.encoder.feed-forward.hidden"}},
    {"norm", {"arch.encoder.norm-order"}},
    {"dropout", {"arch.dropout"}},
    {"vocabulary", {"text.vocab-size"}},
    {"tokens a batch", {"data.update-tokens"}},
    {"learning rate", {"train.schedule.learning-rate"}},
    {"warm-up", {"train.schedule.warmup"}},
    {"updates", {"train.max-updates"}},
    {"validation every", {"valid.every"}},
};

}  // namespace

std::string_view preset_toml(Preset preset) {
  switch (preset) {
    case Preset::TransformerTiny: return kTiny;
    case Preset::TransformerSmall: return kSmall;
    case Preset::TransformerBase: return kBase;
    case Preset::TransformerBig: break;
  }
  return kBig;
}

RunOptions preset_options(Preset preset) {
  RunOptions options;
  options.preset = preset;
  apply_layers(walk_of(options), {parse_settings(preset_toml(preset), "preset")});
  return options;
}

std::string preset_table() {
  std::string title = "| preset |";
  std::string rule = "|---|";
  for (const auto& [column, names] : kColumns) {
    title += fmt::format(" {} |", column);
    rule += "---|";
  }
  std::string table = title + '\n' + rule + '\n';
  for (const auto& [preset, name] : option_names(Preset{})) {
    RunOptions options = preset_options(preset);
    std::map<std::string, std::string> values;
    for (const OptionValue& option : option_values(walk_of(options))) {
      values[option.name] = fmt::format("{}", fmt::join(option.values, " "));
    }
    table += fmt::format("| {} |", name);
    for (const auto& [column, names] : kColumns) {
      std::string cell;
      for (const std::string& option : names) cell += (cell.empty() ? "" : " + ") + values.at(option);
      table += fmt::format(" {} |", cell);
    }
    table += '\n';
  }
  return table;
}

}  // namespace heed::config
