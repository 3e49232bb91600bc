// heed-layers: time and memory of self-attention, recurrent and convolutional layers against sentence length.
#include <fstream>
#include <optional>

#include <ATen/Parallel.h>
#include <torch/version.h>

#include "heed/core/allocation.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/log.h"
#include "layers/layers.h"
#include "program.h"

namespace heed::benchmarks {
namespace {

struct LayersCommand {
  LayerSettings settings;
  std::string output;
};
void describe(LayersCommand& o, OptionVisitor& visit) {
  describe(o.settings, visit);
  visit("output", o.output,
        "`PREFIX` of the files PREFIX.md, PREFIX.jsonl and PREFIX.svg; none: only the tables, on "
        "standard output");
}

const config::CommandHelp kHelp{
    .usage = "heed-layers [--output PREFIX] [options]",
    .summary = R"(Measures what the layers of a translation model cost as sentences become longer: multi-head
self-attention, LSTM, GRU and gated convolution, beside what Vaswani et al. 2017 (Table 1) say of them.
Every batch has as many tokens as every other, in fewer sentences the longer they are, so that times
compare the same amount of text: a cost for each token that stays level grows with n for a sentence, one
that doubles with n grows with n². Memory is the most that tensors take at once during the forward and
backward pass, counted to the byte, beyond input, parameters and the output's gradient.)",
    .examples = R"(  heed-layers                                        # some minutes; tables on standard output
  heed-layers --output layers                        # as Markdown, JSON lines and an SVG figure too
  heed-layers --threads 2 --width 512
  heed-layers --tokens 512 --longest 512 --repetitions 1   # a first look, in seconds)",
    .closing = "Let nothing else run meanwhile. benchmarks/layers/README.md says how to read the result.",
};

/// Opened before anything is measured, so that a bad path costs no time.
struct OutputFiles {
  explicit OutputFiles(const std::string& prefix)
      : tables(prefix + ".md"), measurements(prefix + ".jsonl"), chart(prefix + ".svg") {}
  AtomicFile tables, measurements, chart;
};

void write(AtomicFile& file, std::string_view text) {
  file.write(text);
  file.commit();
}

std::string machine() {
  std::ifstream processors("/proc/cpuinfo");
  std::string name = "unnamed processor";
  for (std::string line; std::getline(processors, line);) {
    if (!line.starts_with("model name")) continue;
    name = line.substr(line.find(':') + 2);
    break;
  }
  return name + ", LibTorch " TORCH_VERSION;
}

int run(const LayersCommand& command, const config::Arguments&) {
  validate(command.settings);
  std::optional<OutputFiles> files;
  if (!command.output.empty()) files.emplace(command.output);
  at::set_num_threads(static_cast<int>(command.settings.threads));
  LayerReport report{.settings = command.settings, .machine = machine(), .layers = {}, .measured = {}};
  const std::vector<Layer> layers = make_layers(command.settings);
  for (const Layer& layer : layers) report.layers.push_back(layer.facts);
  report.measured = measure_layers(layers, command.settings, log_info);
  const std::string tables = markdown(report);
  if (files) {
    write(files->tables, tables);
    write(files->measurements, json_lines(report));
    write(files->chart, figure(report));
  }
  apps::print(tables);
  return 0;
}

int run(apps::CommandArguments arguments) {
  return apps::run_command(
      apps::with_options<LayersCommand>({.name = "heed-layers", .help = kHelp},
                                        [](const auto& command, const auto& given) { return run(command, given); }),
      arguments);
}

}  // namespace
}  // namespace heed::benchmarks

int main(int count, char** arguments) {
  heed::keep_freed_memory();
  const std::vector<std::string> words(arguments + 1, arguments + count);
  return heed::apps::run_guarded([&] { return heed::benchmarks::run(words); });
}
