// The tables of presets that docs/presets.md must have: what the presets of a family differ in, in Markdown.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/command_line/option_list.h"
#include "heed_torch/config/presets.h"

namespace heed::config {

/// The columns of a table: a title, and the options whose values stand below it.
using Columns = std::vector<std::pair<std::string, std::vector<std::string>>>;

inline const Columns kTransformerColumns{{"width", {"arch.d-model"}},
                                         {"layers", {"arch.encoder.layers", "arch.decoder.layers"}},
                                         {"heads", {"arch.encoder.heads"}},
                                         {"feed-forward", {"arch.encoder.feed-forward.hidden"}},
                                         {"norm", {"arch.encoder.norm-order"}}};
inline const Columns kRecurrentColumns{{"embeddings", {"arch.d-model"}},
                                       {"layers", {"arch.encoder.layers", "arch.decoder.layers"}},
                                       {"cell", {"arch.encoder.cell"}},
                                       {"state", {"arch.encoder.hidden", "arch.decoder.hidden"}},
                                       {"encoder reads", {"arch.encoder.direction"}},
                                       {"attention", {"arch.decoder.attention"}}};
inline const Columns kLanguageModelColumns{
    {"width", {"arch.d-model"}}, {"decoder", {"arch.decoder.type"}}, {"layers", {"arch.decoder.layers"}}};
inline const Columns kConvolutionColumns{{"embeddings", {"arch.d-model"}},
                                         {"layers", {"arch.encoder.layers", "arch.decoder.layers"}},
                                         {"width", {"arch.encoder.hidden", "arch.decoder.hidden"}},
                                         {"kernel", {"arch.encoder.kernel", "arch.decoder.kernel"}}};
inline const Columns kTrainingColumns{{"dropout", {"arch.dropout"}},
                                      {"vocabulary", {"text.vocab-size"}},
                                      {"tokens per batch", {"data.batch-tokens"}},
                                      {"learning rate", {"train.schedule.learning-rate"}},
                                      {"warm-up", {"train.schedule.warmup"}},
                                      {"steps", {"train.max-steps"}},
                                      {"validation every", {"valid.every"}}};

inline std::string table_row(const std::string& name, Preset preset, const Columns& columns) {
  RunOptions options = preset_options(preset);
  std::map<std::string, std::string> values;
  for (const OptionValue& option : option_values(visit_options(options))) {
    values[option.name] = fmt::format("{}", fmt::join(option.values, " "));
  }
  std::string row = fmt::format("| {} |", name);
  for (const auto& [column, names] : columns) {
    std::string cell;
    for (const std::string& option : names) cell += (cell.empty() ? "" : " + ") + values.at(option);
    row += fmt::format(" {} |", cell);
  }
  return row + '\n';
}

inline std::string table(std::string_view family, Columns columns) {
  columns.insert(columns.end(), kTrainingColumns.begin(), kTrainingColumns.end());
  std::string title = "| preset |";
  std::string rule = "|---|";
  for (const auto& [column, names] : columns) {
    title += fmt::format(" {} |", column);
    rule += "---|";
  }
  std::string rows;
  for (const auto& [preset, name] : option_names(Preset{})) {
    if (std::string_view(name).starts_with(family)) rows += table_row(name, preset, columns);
  }
  return title + '\n' + rule + '\n' + rows;
}

inline std::vector<std::string> preset_tables() {
  return {table("transformer-", kTransformerColumns), table("rnn-", kRecurrentColumns),
          table("conv", kConvolutionColumns), table("lm-", kLanguageModelColumns)};
}

}  // namespace heed::config
