// The options that the commands of `heed data` share: which files to read, and how.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heed/core/options.h"
#include "heed/curation/duplicates/held_out_text.h"
#include "heed/curation/files/pair_format.h"
#include "heed/curation/files/pair_output.h"
#include "heed/curation/survey/corpus_survey.h"
#include "heed/curation/survey/pair_judge.h"
#include "heed/data/corpus/spooled_files.h"
#include "output.h"
#include "progress.h"

namespace heed::apps {

/// The format of a file of pairs; auto: by its name.
enum class FormatChoice { Auto, Tsv, JsonLines, Tmx, Xliff, Po };
constexpr auto option_names(FormatChoice) {
  return std::array{std::pair{FormatChoice::Auto, "auto"},       std::pair{FormatChoice::Tsv, "tsv"},
                    std::pair{FormatChoice::JsonLines, "jsonl"}, std::pair{FormatChoice::Tmx, "tmx"},
                    std::pair{FormatChoice::Xliff, "xliff"},     std::pair{FormatChoice::Po, "po"}};
}
std::optional<curation::PairFormat> format_of(FormatChoice choice);

struct CorpusInput {
  std::vector<std::string> source, target, pairs;
  FormatChoice format = FormatChoice::Auto;
  std::string source_field, target_field, document_field;

  curation::CorpusText corpus() const;
};
void describe(CorpusInput& o, OptionVisitor& visit);
std::vector<std::string> paths_of(const curation::CorpusText& corpus);

/// A validation or test text: files as in CorpusInput.
struct HeldOutInput {
  std::vector<std::string> valid_source, valid_target, valid_pairs;
  std::vector<std::string> test_source, test_target, test_pairs;

  /// Reads the texts that are given. input: the format and fields of their files of pairs.
  std::vector<curation::HeldOutText> texts(const CorpusInput& input, double similarity) const;
};
void describe(HeldOutInput& o, OptionVisitor& visit);

/// Options of a command's work.
struct WorkOptions {
  int64_t threads = 0;
  int64_t seed = 1;
  std::string temporary;

  int64_t thread_count() const;
  /// A prefix for the names of temporary files.
  std::string scratch() const;
};
void describe(WorkOptions& o, OptionVisitor& visit);

/// What the pairs of a corpus are judged by.
struct SurveyInput {
  HeldOutInput held_out;
  int64_t learn_from = 100'000;
  curation::FilterLimits limits;
  WorkOptions work;

  /// Reads the corpus once and learns from it. input: where the corpus comes from.
  curation::CorpusSurvey start(const curation::CorpusText& corpus, const CorpusInput& input, bool near_duplicates,
                               Progress& progress) const;
};
void describe(SurveyInput& o, OptionVisitor& visit);

/// The files that a command writes.
struct CorpusOutput {
  std::string source, target, pairs;
  FormatChoice format = FormatChoice::Auto;
};
void describe_output(CorpusOutput& o, OptionVisitor& visit);
/// Throws ConfigError if the file of another option is one of the outputs.
void require_other_file(const CorpusOutput& output, const std::string& option, const std::string& path);

/// Writes pairs to the files of an output, which appear when they are complete.
class PairFileWriter {
 public:
  /// files: where the pairs come from, which no output may replace. prefix: of the options' names. Throws ConfigError
  /// for outputs that do not go together, and FileError.
  PairFileWriter(const CorpusOutput& output, const CorpusInput& input, const std::string& prefix);
  void write(const curation::Pair& pair) { writer_->write(pair); }
  /// Must be called for the files to appear, with those of `others`. Throws FileError.
  void finish(const std::vector<Output*>& others = {});
  /// The outputs after the end of the text is written, for finish_all().
  std::vector<Output*> outputs();

 private:
  std::vector<std::unique_ptr<Output>> files_;
  std::unique_ptr<curation::PairWriter> writer_;
};

}  // namespace heed::apps
