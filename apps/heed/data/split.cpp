#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "data/corpus_options.h"
#include "data/data_commands.h"
#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/log.h"
#include "heed/core/scope_exit.h"
#include "heed/core/text/counted.h"
#include "heed/curation/files/pair_input.h"
#include "heed/curation/split_plan.h"
#include "heed/curation/survey/pair_blocks.h"
#include "heed/data/overlap/swapped_sides.h"
#include "output.h"
#include "program.h"
#include "progress.h"

namespace heed::apps {
namespace {

using curation::Pair;
using curation::Part;

struct SplitCommand {
  CorpusInput input;
  std::string output;
  int64_t valid = 1000;
  int64_t test = 1000;
  int64_t block_lines = 0;
  double similarity = 0.8;
  bool overwrites = false;
  WorkOptions work;
};
void describe(SplitCommand& o, OptionVisitor& visit) {
  describe(o.input, visit);
  visit("output", o.output, "folder for train, valid and test, with the endings of the input's names");
  visit("valid", o.valid, "pairs of the validation text", at_least(0));
  visit("test", o.test, "pairs of the test text", at_least(0));
  visit(
      "block-lines", o.block_lines,
      "if you do not know the documents, but the text is in their order: each block of this many lines stays together; 0: "
      "pairs are chosen one by one",
      at_least(0));
  visit("similarity", o.similarity,
        "pairs are near-duplicates from this Jaccard similarity of their character 5-grams on", between(0.3, 1));
  visit("overwrite", o.overwrites, "replace files of these names in the folder");
  describe(o.work, visit);
}

const config::CommandHelp kSplitHelp{
    .usage =
        "heed data split (--source FILE --target FILE | --pairs FILE) --output FOLDER [--valid N] [--test N] [options]",
    .summary =
        R"(Splits a corpus into training, validation and test text, at random. Pairs that are nearly equal stay in the
same part, and so do the pairs of a document (--document-field, --block-lines). Scores on the test text then
show how a model does on new text.)",
    .examples =
        R"(  heed data split --source clean.en --target clean.de --output data      # data/train.en, data/valid.en, ...
  heed data split --pairs pages.tsv --source-field 3 --target-field 4 --document-field 1 --output data --test 2000
  heed data split --source help.en --target help.de --block-lines 100 --output data)",
    .common = {"source", "target", "pairs", "output", "valid", "test", "document-field", "block-lines", "overwrite",
               "similarity", "seed"},
    .closing = "docs/guide/data.md has more.",
};

/// ".de" of "data/all.de.gz"; `other` if the name has no ending.
std::string ending_of(const std::string& path, const std::string& other) {
  std::filesystem::path name(path);
  if (name.extension() == ".gz") name = name.stem();
  const std::string ending = name.extension();
  return ending.empty() || path == "-" ? other : ending;
}

/// The files of each part. They are indexed by Part.
std::vector<CorpusOutput> outputs_of(const SplitCommand& command) {
  std::vector<CorpusOutput> outputs;
  const CorpusInput& input = command.input;
  for (const std::string name : {"train", "valid", "test"}) {
    const std::string path = std::filesystem::path(command.output) / name;
    CorpusOutput output;
    if (!input.pairs.empty()) {
      output.pairs = path + ending_of(input.pairs[0], ".tsv");
      output.format = input.format;
    } else {
      const std::string source = ending_of(input.source[0], ".source");
      const std::string target = ending_of(input.target[0], ".target");
      output.source = path + (source == target ? ".source" : source);
      output.target = path + (source == target ? ".target" : target);
    }
    outputs.push_back(output);
  }
  return outputs;
}

/// Throws ConfigError if a file exists, since its name follows from the input's and was not typed.
void refuse_existing(const std::vector<CorpusOutput>& outputs) {
  for (const CorpusOutput& output : outputs) {
    for (const std::string& path : {output.source, output.target, output.pairs}) {
      if (path.empty() || !path_exists(path)) continue;
      throw ConfigError(fmt::format("{} exists: name another folder with `--output`, or add `--overwrite`", path));
    }
  }
}

/// The writer of each part. They are indexed by Part.
std::vector<std::unique_ptr<PairFileWriter>> writers_of(const SplitCommand& command) {
  std::vector<std::unique_ptr<PairFileWriter>> writers;
  const std::vector<CorpusOutput> outputs = outputs_of(command);
  if (!command.overwrites) refuse_existing(outputs);
  for (const CorpusOutput& output : outputs) {
    writers.push_back(std::make_unique<PairFileWriter>(output, command.input, "output-"));
  }
  return writers;
}

/// Reads the corpus once and chooses the part of each pair.
std::vector<Part> plan_split(const SplitCommand& command, const curation::CorpusText& corpus) {
  curation::NearDuplicates near(command.work.scratch(), command.similarity);
  std::vector<std::string> documents;
  data::SameSides sides;
  const bool has_documents = !command.input.document_field.empty() || command.block_lines > 0;
  curation::for_each_pair<curation::Sketch>(
      *curation::open_pairs(corpus), command.work.thread_count(),
      [](int64_t, const Pair& pair) {
        curation::SideText source, target;
        source.assign(pair.source);
        target.assign(pair.target);
        return sketch_of(source, target);
      },
      [&](const Pair& pair, const curation::Sketch& sketch) {
        near.add(sketch);
        sides.add(pair.source, pair.target);
        if (has_documents) {
          documents.push_back(command.block_lines > 0 ? fmt::format("{}", std::ssize(documents) / command.block_lines)
                                                      : pair.document);
        }
      });
  sides.warn(corpus.files);
  curation::SplitPlan plan(near.groups());
  for (size_t line = 0; line < documents.size(); ++line) {
    if (!documents[line].empty()) plan.add_document(static_cast<int64_t>(line), documents[line]);  // empty: unknown
  }
  auto parts = plan.choose({.valid = command.valid, .test = command.test}, static_cast<uint64_t>(command.work.seed));
  log_info(fmt::format("{} kept together: {}", has_documents ? "documents and near-duplicates" : "near-duplicates",
                       counted(plan.groups_of_several(), "group")));
  return parts;
}

int split_corpus(const SplitCommand& command, const config::Arguments&) {
  require_option(!command.output.empty(), "output", "name the folder for train, valid and test");
  if (command.block_lines > 0 && !command.input.document_field.empty()) {
    throw ConfigError("`--block-lines` does not go with `--document-field`, which names the documents");
  }
  const curation::CorpusText asked = command.input.corpus();
  curation::validate(asked);
  const bool is_new = std::filesystem::create_directories(command.output);
  const ScopeExit remove_unused([&] {  // removes only an empty folder: nothing was written
    std::error_code ignored;
    if (is_new) std::filesystem::remove(command.output, ignored);
  });
  const auto writers = writers_of(command);
  const data::SpooledFiles files(asked.files, command.work.scratch());
  curation::CorpusText corpus = asked;
  corpus.files = files.files();
  Progress progress("");
  const std::vector<Part> parts = plan_split(command, corpus);
  std::array<int64_t, 3> sizes{};
  const auto input = curation::open_pairs(corpus);
  size_t line = 0;
  for (Pair pair; line < parts.size() && input->next(pair); ++line) {
    const auto part = static_cast<size_t>(parts[line]);
    pair.document.clear();  // TSV then has two columns, as `heed train` reads it
    writers[part]->write(pair);
    ++sizes[part];
    progress.lines("pairs", static_cast<int64_t>(line), std::ssize(parts));
  }
  progress.end_line();
  std::vector<Output*> outputs;
  for (const auto& writer : writers) {
    for (Output* output : writer->outputs()) outputs.push_back(output);
  }
  finish_all(outputs);
  log_info(fmt::format("{}: train {}, valid {} and test {} pairs", command.output, format_count(sizes[0]),
                       format_count(sizes[1]), format_count(sizes[2])));
  return 0;
}

}  // namespace

config::Command data_split_command() {
  return with_options<SplitCommand>(
      {.name = "split",
       .summary = "parallel text -> training, validation and test text that share nothing",
       .help = kSplitHelp},
      split_corpus);
}

}  // namespace heed::apps
