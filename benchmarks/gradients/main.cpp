// heed-gradients: what of the gradient reaches a word k positions before, by kind of layer.
#include "gradients/gradients.h"
#include "heed/core/files/atomic_file.h"
#include "program.h"

namespace heed::benchmarks {
namespace {

struct GradientsCommand {
  GradientSettings settings;
  std::string output;
};
void describe(GradientsCommand& o, OptionVisitor& visit) {
  describe(o.settings, visit);
  visit("output", o.output, "`PREFIX` of the files PREFIX.md and PREFIX.svg; none: only the table, on standard output");
}

const config::CommandHelp kHelp{
    .usage = "heed-gradients [--output PREFIX] [options]",
    .summary = R"(Shows the vanishing gradient: how much of the gradient at a sentence's last position reaches the input
k positions before, through a vanilla RNN, a GRU, an LSTM and self-attention with their initial values.)",
    .examples = R"(  heed-gradients
  heed-gradients --output gradients     # as Markdown and as an SVG figure too)",
    .closing = "recipes/ablations/README.md says what one sees.",
};

int run(const GradientsCommand& command, const config::Arguments&) {
  const std::vector<GradientCurve> curves = measure_gradients(command.settings);
  const std::string table = gradient_table(command.settings, curves);
  apps::print(table);
  if (command.output.empty()) return 0;
  write_file(command.output + ".md", table);
  write_file(command.output + ".svg", gradient_figure(command.settings, curves));
  return 0;
}

int run(apps::CommandArguments arguments) {
  return apps::run_command(
      apps::with_options<GradientsCommand>({.name = "heed-gradients", .help = kHelp},
                                           [](const auto& command, const auto& given) { return run(command, given); }),
      arguments);
}

}  // namespace
}  // namespace heed::benchmarks

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  return heed::apps::run_guarded([&] { return heed::benchmarks::run(words); });
}
