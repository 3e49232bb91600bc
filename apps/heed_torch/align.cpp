#include "commands.h"
#include "heed_torch/translation/aligner.h"
#include "item_maps.h"
#include "model_command.h"
#include "paired_vector_sources.h"
#include "translate/alignment_output.h"

namespace heed::apps {
namespace {

struct AlignCommand {
  ModelUse use;
  data::CorpusFiles files;
  data::TextFormat format;
  ItemFiles items;
  std::string output = "-";
  AlignmentOptions alignment;
};
void describe(AlignCommand& o, OptionVisitor& visit) {
  describe(o.use, visit);
  describe_pairs(o.files, o.format, visit);
  describe(o.items, visit);
  visit("output", o.output, "file for the alignments, or - for standard output");
  describe(o.alignment, visit);
}

const config::CommandHelp kAlignHelp{
    .usage = "heed align --model DIR --source FILE --target FILE [--output FILE] [options]",
    .summary = R"(Aligns the words of given translations by the model's attention: which source words each target word
attends to, as weights or as links. Words are separated by white space. The weights of a word's subwords
are added on the source side and averaged on the target side. heed writes one record for each pair of lines,
in order; a blank line has no links. For images, audio and other vectors it shows where each word looked. If
the model has channel attention (`arch.vectors.channel-attention`), it also shows the weights of the
feature maps.)",
    .examples = R"(  heed align --model models/en-de --source test.en --target out.de > out.links
  heed align --model models/en-de --source one.en --target one.de --format blocks   # in the terminal
  heed align --model models/en-de --source one.en --target one.de --output map.svg  # for a paper
  heed align --model models/en-de --source one.en --target one.de --all-heads --output heads.html
  heed align --model models/captions --source-images test.list --target test.captions --output looked.html
  heed align --model models/en-de --source test.en --target test.de --layer 3 | heed evaluate --alignment gold -)",
    .common = {"model", "source", "target", "output", "format", "threshold", "layer", "head", "all-heads", "subwords",
               "checkpoint", "device"},
};

constexpr size_t kPairsAtOnce = 256;

int align(const AlignCommand& command, const config::Arguments&) {
  for (const auto* inputs : {&command.files.source, &command.files.target, &command.files.pairs}) {
    require_other_than_inputs("--output", command.output, *inputs);
  }
  const OpenedTorchModel model = open_model(command.use);
  if (model.opened.model->head) require_translation_model(command.use, model);
  translation::Aligner aligner(model.opened.model, model.opened.tokenizers, model.device, command.alignment.aligner);
  const data::TextFormat format = format_of(command.use, command.format);
  PairedVectorSources items(command.files, format, command.items, command.use, model);
  if (!items.any()) require_source(command.files);
  AlignmentOutput output = items.any() ? AlignmentOutput::of_items(command.output, command.alignment, command.use.model)
                                       : AlignmentOutput(command.output, command.alignment, command.use.model);
  const ItemMaps maps(model);
  const PairBlocks blocks{.pairs = kPairsAtOnce, .results = command.output};
  read_pairs(command.files, format, blocks, [&](const auto& sources, const auto& targets) {
    if (!items.any()) {
      for (const text::Alignment& alignment : aligner.align(sources, targets)) output.add(alignment);
      return;
    }
    for (translation::AlignedPair& pair : aligner.align_all(items.next(sources), targets)) {
      output.add(maps.of(pair.item.get(), std::move(pair.words), std::move(pair.item_weights)));
    }
  });
  items.finish();
  output.finish();
  return 0;
}

}  // namespace

config::Command align_command() { return with_options<AlignCommand>({.name = "align", .help = kAlignHelp}, align); }

}  // namespace heed::apps
