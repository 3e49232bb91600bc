#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/unicode.h"
#include "heed/translation/aligner.h"
#include "model_command.h"

namespace heed::apps {
namespace {

enum class AlignmentFormat { Pharaoh, Blocks };
constexpr auto option_names(AlignmentFormat) {
  return std::array{std::pair{AlignmentFormat::Pharaoh, "pharaoh"}, std::pair{AlignmentFormat::Blocks, "blocks"}};
}

struct AlignCommand {
  ModelUse use;
  data::CorpusFiles files;
  AlignmentFormat format = AlignmentFormat::Pharaoh;
};
void describe(AlignCommand& o, OptionVisitor& visit) {
  describe(o.use, visit);
  describe_pairs(o.files, visit);
  visit("format", o.format, "pharaoh: links such as 0-0 1-2, source word first; blocks: a picture of the attention");
}

const config::CommandHelp kHelp{
    .usage = "heed align --model DIR --source FILE --target FILE [options]",
    .summary = R"(Shows which source word the model looks at for each word of a given translation. Words stand
between white space; one line of links for each pair of lines.)",
    .examples = R"(  heed align --model models/en-de --source test.en --target out.de > out.links
  heed align --model models/en-de --source one.en --target one.de --format blocks)",
};

constexpr size_t kPairsAtOnce = 256;

std::string padded(const std::string& word, size_t width) {
  const size_t length = characters(word).size();
  return word + std::string(width > length ? width - length : 0, ' ');
}

const char* shade(float weight) {
  if (weight < 0.05f) return "  ";
  if (weight < 0.15f) return "░░";
  if (weight < 0.3f) return "▒▒";
  return weight < 0.5f ? "▓▓" : "██";
}

/// A row for each target word; a column of two cells for each source word.
std::string blocks(const translation::Alignment& alignment) {
  size_t width = 0;
  for (const std::string& word : alignment.target_words) width = std::max(width, characters(word).size());
  std::string text;
  for (size_t s = 0; s < alignment.source_words.size(); ++s) {
    text += std::string(width + 1, ' ');
    for (size_t before = 0; before < s; ++before) text += "│ ";
    text += "┌ " + alignment.source_words[s] + '\n';
  }
  for (size_t t = 0; t < alignment.target_words.size(); ++t) {
    text += padded(alignment.target_words[t], width + 1);
    for (const float weight : alignment.weights[t]) text += shade(weight);
    text += '\n';
  }
  return text + '\n';
}

}  // namespace

int run_align(CommandArguments arguments) {
  AlignCommand command;
  if (!read_command_line(kHelp, config::walk_of(command), arguments, config::Positionals::Refused)) return 0;
  const UsedModel model = open_model(command.use);
  translation::Aligner aligner(model.opened.model, model.opened.tokenizers, model.device);
  read_pairs(command.files, command.use.invalid_text, kPairsAtOnce, [&](const auto& sources, const auto& targets) {
    for (const translation::Alignment& alignment : aligner.align(sources, targets)) {
      print(command.format == AlignmentFormat::Blocks ? blocks(alignment) : translation::pharaoh(alignment) + '\n');
    }
  });
  return 0;
}

}  // namespace heed::apps
