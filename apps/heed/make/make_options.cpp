#include "make/make_options.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/core/files/checksum.h"
#include "heed/core/text/counted.h"
#include "heed/curation/files/pair_input.h"
#include "heed/data/overlap/swapped_sides.h"
#include "heed/metrics/tokenizers/fitting_tokenizer.h"
#include "program.h"

namespace heed::apps::make {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kFewestPairs = 100;

/// The files of a folder in the order of their names, without hidden ones.
std::vector<std::string> files_in(const std::string& folder, const std::string& option) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (entry.is_regular_file() && !name.starts_with('.')) files.push_back(entry.path());
  }
  if (files.empty()) throw ConfigError("--" + option, fmt::format("names {}, a folder without files", folder));
  std::ranges::sort(files);
  return files;
}

struct NamedFiles {
  std::string option;
  std::vector<std::string>* files;
};

std::vector<NamedFiles> all_files(MakeOptions& options) {
  CorpusInput& input = options.input;
  HeldOutInput& held = options.held_out;
  return {{"source", &input.source},
          {"target", &input.target},
          {"pairs", &input.pairs},
          {"valid-source", &held.valid_source},
          {"valid-target", &held.valid_target},
          {"valid-pairs", &held.valid_pairs},
          {"test-source", &held.test_source},
          {"test-target", &held.test_target},
          {"test-pairs", &held.test_pairs}};
}

/// "en" of "data/train.en.gz" or of the language en; `other` if neither names a language.
std::string ending_of(const std::vector<std::string>& paths, const std::string& field, const std::string& other) {
  const auto is_language = [](std::string_view name) {
    return !name.empty() && name.size() <= 8 && name != "txt" && std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    });
  };
  if (paths.empty()) return is_language(field) ? field : other;
  fs::path name(paths[0]);
  if (name.extension() == ".gz") name = name.stem();
  const std::string ending = name.extension();
  return ending.size() > 1 && is_language(ending.substr(1)) ? ending.substr(1) : other;
}

int64_t words_of(std::string_view line) {
  int64_t words = 0;
  bool inside = false;
  for (const char c : line) {
    const bool space = c == ' ' || c == '\t';
    words += !space && !inside;
    inside = !space;
  }
  return words;
}

/// Counts the pairs and words of the text, and keeps some target lines.
void read_corpus(const curation::CorpusText& corpus, MakeInput& input, std::vector<std::string>& sample) {
  constexpr size_t kSample = 1000;
  const auto pairs = curation::open_pairs(corpus);
  data::SameSides sides;
  for (curation::Pair pair; pairs->next(pair); ++input.pairs) {
    sides.add(pair.source, pair.target);
    input.target_words += static_cast<double>(words_of(pair.target));
    if (sample.size() < kSample) sample.push_back(pair.target);
  }
  sides.warn(corpus.files);
}

/// Reads a validation or test text, if it is given, for its errors.
void read_held_out(const curation::CorpusText& corpus, const std::string& prefix) {
  const data::CorpusFiles& files = corpus.files;
  if (files.source.empty() && files.target.empty() && files.pairs.empty()) return;
  curation::validate(corpus, prefix);
  const auto pairs = curation::open_pairs(corpus);
  int64_t count = 0;
  for (curation::Pair pair; pairs->next(pair);) ++count;
  if (count == 0) throw InputError(data::names_of(files), 0, "has no pairs");
}

Json request_of(const MakeOptions& options) {
  Json text = Json::object();
  MakeOptions walked = options;
  for (const auto& [option, files] : all_files(walked)) {
    for (const std::string& file : *files) text[option].push_back(sha256_of_file(file));
  }
  Json config = Json::array();
  for (const std::string& file : options.config) config.push_back(sha256_of_file(file));
  return {{"text", text},
          {"config", config},
          {"hours", options.hours},
          {"for", enum_name(options.goal)},
          {"input-format", enum_name(options.input.format)},
          {"source-field", options.input.source_field},
          {"target-field", options.input.target_field},
          {"document-field", options.input.document_field},
          {"block-lines", options.block_lines},
          {"threads", options.threads}};
}

void require_files(MakeOptions options) {
  for (const auto& [option, files] : all_files(options)) {
    for (const std::string& file : *files) {
      if (file == "-") throw ConfigError("--" + option, "must name files: heed make reads its text several times");
    }
  }
}

}  // namespace

void describe(MakeOptions& o, OptionVisitor& visit) {
  describe(o.input, visit);
  describe(o.held_out, visit);
  visit("model", o.model, "directory for the model and everything else that is made");
  visit("hours", o.hours,
        "hours for everything: 2, or 0.5. They count while the command runs, not between a kill and the next start",
        between(0.01, 10'000));
  visit("for", o.goal,
        "quality: the best model for the time; speed: a small model that learns from the translations of a larger one, "
        "and translates about twice as fast");
  visit("plan", o.plan, "print the stages, their commands and times, and do nothing");
  visit("config", o.config,
        "`FILE.toml` with options of `heed train` (such as `[arch] dropout = 0.2`) that replace those that heed make "
        "chooses");
  visit("block-lines", o.block_lines,
        "the validation and test text are blocks of this many lines, so that lines of one document stay together; "
        "0: single lines. With --document-field whole documents are taken",
        between(0, 1'000'000));
  visit("threads", o.threads, "CPU threads; 0: one for each core that the CPU quota allows", between(0, 1024));
}

void expand_folders(MakeOptions& options) {
  for (const auto& [option, files] : all_files(options)) {
    std::vector<std::string> all;
    for (const std::string& path : *files) {
      const auto found = fs::is_directory(path) ? files_in(path, option) : std::vector{path};
      all.insert(all.end(), found.begin(), found.end());
    }
    *files = std::move(all);
  }
}

MakeInput read_input(const MakeOptions& options) {
  require_option(!options.model.empty(), "model", "name the directory for the model");
  require_files(options);
  const curation::CorpusText corpus = options.input.corpus();
  curation::validate(corpus);
  MakeInput input;
  std::vector<std::string> sample;
  read_corpus(corpus, input, sample);
  curation::CorpusText held = corpus;
  const HeldOutInput& given = options.held_out;
  held.files = {.source = given.valid_source, .target = given.valid_target, .pairs = given.valid_pairs};
  read_held_out(held, "valid-");
  held.files = {.source = given.test_source, .target = given.test_target, .pairs = given.test_pairs};
  read_held_out(held, "test-");
  if (input.pairs < kFewestPairs) {
    throw InputError(data::names_of(corpus.files), 0,
                     fmt::format("has {}, too few to train on: at least {} are needed, and useful models begin at "
                                 "about 10,000",
                                 counted(input.pairs, "pair"), kFewestPairs));
  }
  input.source_ending = ending_of(options.input.source, options.input.source_field, "source");
  input.target_ending = ending_of(options.input.target, options.input.target_field, "target");
  if (input.source_ending == input.target_ending) {
    input.source_ending = "source";
    input.target_ending = "target";
  }
  input.tokenize = metrics::advice_against_13a(sample, "") ? "char" : "13a";
  input.request = request_of(options);
  return input;
}

}  // namespace heed::apps::make
