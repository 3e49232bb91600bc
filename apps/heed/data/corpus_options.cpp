#include "data/corpus_options.h"

#include <filesystem>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/parallel.h"
#include "heed/core/text/counted.h"
#include "program.h"

namespace heed::apps {
namespace {

using curation::PairFormat;

/// "de" of "data/train.de.gz"; empty: the name has no ending.
std::string language_of(const std::string& path) {
  std::filesystem::path name(path);
  if (name.extension() == ".gz") name = name.stem();
  const std::string ending = name.extension();
  return ending.empty() ? "" : ending.substr(1);
}

}  // namespace

std::optional<PairFormat> format_of(FormatChoice choice) {
  switch (choice) {
    case FormatChoice::Auto:
      return std::nullopt;
    case FormatChoice::Tsv:
      return PairFormat::Tsv;
    case FormatChoice::JsonLines:
      return PairFormat::JsonLines;
    case FormatChoice::Tmx:
      return PairFormat::Tmx;
    case FormatChoice::Xliff:
      return PairFormat::Xliff;
    case FormatChoice::Po:
      return PairFormat::Po;
  }
  return std::nullopt;
}

curation::CorpusText CorpusInput::corpus() const {
  const auto form = format_of(format);
  data::CorpusFiles files{.source = source, .target = target, .pairs = pairs};
  return {.files = std::move(files),
          .format = form,
          .source_field = source_field,
          .target_field = target_field,
          .document_field = document_field};
}

std::vector<std::string> paths_of(const curation::CorpusText& corpus) {
  std::vector<std::string> paths;
  for (const data::SideFile& file : data::all_files(corpus.files)) paths.push_back(file.path);
  return paths;
}

void describe(CorpusInput& o, OptionVisitor& visit) {
  visit("source", o.source, "text of the source side, one sentence per line (.gz too; - for standard input)");
  visit("target", o.target, "text of the target side: line N belongs to line N of the source");
  visit(
      "pairs", o.pairs,
      "instead of both: files of pairs. TSV (source TAB target), JSON lines ({\"source\": ..., \"target\": ...}), TMX, "
      "XLIFF or PO");
  visit("input-format", o.format,
        "format of the files of pairs; auto: by the file's name (.jsonl, .tmx, .xlf, .xliff, .po, all others TSV)");
  visit("source-field", o.source_field,
        "where the source is in files of pairs: the number of a column or its name in the header (TSV), the name of a "
        "member such as translation.en (JSON lines), a language such as en (TMX)");
  visit("target-field", o.target_field, "where the target is, as for `source-field`");
  visit("document-field", o.document_field,
        "where the name of the document of a pair is, as for `source-field`; original in XLIFF, msgctxt in PO");
}

void describe(HeldOutInput& o, OptionVisitor& visit) {
  visit("valid-source", o.valid_source, "validation text: pairs that are in it too are leaks");
  visit("valid-target", o.valid_target, "validation text, target side");
  visit("valid-pairs", o.valid_pairs, "validation text in files of pairs");
  visit("test-source", o.test_source, "test text: pairs that are in it too are leaks");
  visit("test-target", o.test_target, "test text, target side");
  visit("test-pairs", o.test_pairs, "test text in files of pairs");
}

std::vector<curation::HeldOutText> HeldOutInput::texts(const CorpusInput& input, double similarity) const {
  std::vector<curation::HeldOutText> texts;
  const auto add = [&](const char* name, const char* prefix, const auto& source, const auto& target,
                       const auto& pairs) {
    if (source.empty() && target.empty() && pairs.empty()) return;
    curation::CorpusText corpus = input.corpus();
    corpus.files = {.source = source, .target = target, .pairs = pairs};
    curation::validate(corpus, prefix);
    texts.emplace_back(name, corpus, similarity);
  };
  add("validation", "valid-", valid_source, valid_target, valid_pairs);
  add("test", "test-", test_source, test_target, test_pairs);
  return texts;
}

void describe(WorkOptions& o, OptionVisitor& visit) {
  visit("threads", o.threads, "CPU threads; 0: one for each core that the CPU quota allows", between(0, 1024));
  visit("seed", o.seed, "seed of the random numbers", between(0, 1e15));
  visit("temporary", o.temporary, "folder for temporary files (by default $TMPDIR, else /tmp)");
}

int64_t WorkOptions::thread_count() const { return threads > 0 ? threads : available_cores(); }

std::string WorkOptions::scratch() const {
  const std::filesystem::path folder =
      temporary.empty() ? std::filesystem::temp_directory_path() : std::filesystem::path(temporary);
  return folder / fmt::format("heed-data-{}", getpid());
}

curation::CorpusSurvey SurveyInput::start(const curation::CorpusText& corpus, const CorpusInput& input,
                                          bool near_duplicates, Progress& progress) const {
  return {corpus, held_out.texts(input, limits.similarity),
          curation::SurveyOptions{.limits = limits,
                                  .near_duplicates = near_duplicates,
                                  .learned_pairs = learn_from,
                                  .threads = work.thread_count(),
                                  .seed = static_cast<uint64_t>(work.seed),
                                  .scratch = work.scratch()},
          [&progress](std::string_view stage, int64_t pairs, std::optional<int64_t> total) {
            progress.show(
                [&] { return fmt::format("{}: {}", stage, progress_text("pairs", pairs, total, progress.seconds())); });
          }};
}

void describe(SurveyInput& o, OptionVisitor& visit) {
  describe(o.held_out, visit);
  visit("learn-from", o.learn_from, "most pairs from which languages, lengths and the lexical table are learned",
        at_least(0));
  describe(o.limits, visit);
  describe(o.work, visit);
}

void describe_output(CorpusOutput& o, OptionVisitor& visit) {
  visit("output-source", o.source, "file for the source side (compressed if it ends in .gz)");
  visit("output-target", o.target, "file for the target side");
  visit("output-pairs", o.pairs, "instead of both: a file of pairs, or - for standard output");
  visit("output-format", o.format,
        "format of that file; auto: by its name (.jsonl, .tmx, .xlf, .xliff, .po, all others TSV)");
}

void require_other_file(const CorpusOutput& output, const std::string& option, const std::string& path) {
  for (const auto& [name, file] :
       {std::pair("--output-source", &output.source), std::pair("--output-target", &output.target),
        std::pair("--output-pairs", &output.pairs)}) {
    if (!file->empty()) require_two_outputs(option, path, name, *file);
  }
}

PairFileWriter::PairFileWriter(const CorpusOutput& output, const CorpusInput& input, const std::string& prefix) {
  const bool two = !output.source.empty() || !output.target.empty();
  if (two == !output.pairs.empty() || (two && (output.source.empty() || output.target.empty()))) {
    throw ConfigError(fmt::format(
        "`--{0}source` and `--{0}target` name the files for both sides, or `--{0}pairs` one for pairs", prefix));
  }
  const std::vector<std::string> inputs = paths_of(input.corpus());
  const auto open = [&](const std::string& side, const std::string& path) -> curation::TextSink {
    require_other_than_inputs("--" + prefix + side, path, inputs);
    Output& file = *files_.emplace_back(std::make_unique<Output>(path));
    return [&file](std::string_view text) { file.write(text); };
  };
  if (two) {
    require_two_outputs("--" + prefix + "target", output.target, "--" + prefix + "source", output.source);
    auto source = open("source", output.source);
    writer_ = std::make_unique<curation::PairWriter>(std::move(source), open("target", output.target));
    return;
  }
  const PairFormat format = format_of(output.format).value_or(curation::format_of_name(output.pairs));
  std::pair<std::string, std::string> languages{input.source_field, input.target_field};
  if (!input.source.empty() && languages.first.empty()) languages.first = language_of(input.source[0]);
  if (!input.target.empty() && languages.second.empty()) languages.second = language_of(input.target[0]);
  if ((format == PairFormat::Tmx || format == PairFormat::Xliff) &&
      (languages.first.empty() || languages.second.empty() || languages.first == languages.second)) {
    throw ConfigError(fmt::format("`--source-field` and `--target-field` name the languages for {}, such as en and de",
                                  format == PairFormat::Tmx ? "TMX" : "XLIFF"));
  }
  writer_ = std::make_unique<curation::PairWriter>(format, open("pairs", output.pairs), languages);
}

std::vector<Output*> PairFileWriter::outputs() {
  writer_->finish();
  if (const int64_t changed = writer_->changed_texts(); changed > 0) {
    log_warning(fmt::format("{} had line breaks or TABs, which the output cannot have: they became spaces",
                            counted(changed, "text")));
  }
  if (const int64_t replaced = writer_->replaced_texts(); replaced > 0) {
    log_warning(
        fmt::format("{} had control characters, which XML cannot have: they became U+FFFD", counted(replaced, "text")));
  }
  std::vector<Output*> outputs;
  for (const auto& file : files_) outputs.push_back(file.get());
  return outputs;
}

void PairFileWriter::finish(const std::vector<Output*>& others) {
  std::vector<Output*> all = outputs();
  all.insert(all.end(), others.begin(), others.end());
  finish_all(all);
}

}  // namespace heed::apps
