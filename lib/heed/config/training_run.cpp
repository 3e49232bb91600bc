#include "heed/config/training_run.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/config/device.h"
#include "heed/config/model_directory.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/data/corpus_files.h"
#include "heed/report/json_lines_observer.h"
#include "heed/text/learn_tokenizers.h"
#include "heed/text/tokenizer_files.h"

namespace heed::config {
namespace {

constexpr const char* kConfigFile = "config.toml";

/// The lines of one side.
text::LineSource side_of(const data::CorpusFiles& files, InvalidText invalid, std::string data::TextPair::*side) {
  auto reader = std::make_shared<data::PairReader>(files, invalid);
  return [reader, side](std::string& line) {
    data::TextPair pair;
    if (!reader->next(pair)) return false;
    line = std::move(pair.*side);
    return true;
  };
}

text::Tokenizers make_tokenizers(const LearnedTokenizers& learned, const data::CorpusFiles& files,
                                 InvalidText invalid) {
  log_info("learning the tokenizers");
  return text::learn_tokenizers(
      learned.options, files.has_source() ? side_of(files, invalid, &data::TextPair::source) : text::LineSource(),
      side_of(files, invalid, &data::TextPair::target));
}

text::Tokenizers make_tokenizers(const GivenTokenizers& given, const data::CorpusFiles& files, InvalidText) {
  const auto first = text::load_tokenizer(given.source);
  return {.source = files.has_source() ? first : nullptr,
          .target = given.target.empty() ? first : text::load_tokenizer(given.target)};
}

text::TokenizerOptions sampling_of(const LearnedTokenizers& learned) { return learned.options; }
text::TokenizerOptions sampling_of(const GivenTokenizers& given) {
  text::UnigramOptions unigram;
  unigram.sampling = given.sampling;
  return {.type = unigram, .joint = true};
}

/// The names of the tokenizers' files in the manifest.
std::vector<std::string> tokenizer_files(const checkpoint::RunDirectory& directory) {
  std::vector<std::string> names;
  for (const auto& [name, record] : directory.manifest().files) {
    if (name.starts_with("source.") || name.starts_with("target.")) names.push_back(name);
  }
  return names;
}

text::Tokenizers open_tokenizers(checkpoint::RunDirectory& directory, const RunOptions& options,
                                 const data::CorpusFiles& files) {
  const size_t needed = files.has_source() ? 2 : 1;
  if (tokenizer_files(directory).size() == needed) return text::load_tokenizers(directory.path());
  const text::Tokenizers made = std::visit(
      [&](const auto& how) { return make_tokenizers(how, files, options.data.corpus.invalid_text); },
      options.text.tokenizers);
  text::save_tokenizers(made, directory.path());
  if (made.source) directory.add(fmt::format("source.{}", made.source->file_ending()));
  directory.add(fmt::format("target.{}", made.target->file_ending()));
  return made;
}

/// Refuses options that the training in the directory did not begin with. Where nothing was trained yet, begins anew
/// with them.
void check_same_run(checkpoint::RunDirectory& directory, const RunOptions& options) {
  const auto found = conflicts(read_saved_options(directory.file(kConfigFile)), options);
  if (found.empty()) return;
  if (directory.checkpoints().list().empty()) {
    for (const std::string& name : tokenizer_files(directory)) directory.remove(name);
    return;
  }
  throw ConfigError(fmt::format("{}: the training there began with other options: {}; use them again, or another "
                                "directory for a new training",
                                directory.path(), fmt::join(found, ", ")));
}

training::DevSet dev_set(std::shared_ptr<const data::EncodedCorpus> corpus, const data::CorpusFiles& files,
                         InvalidText invalid) {
  training::DevSet dev{.corpus = std::move(corpus), .source = {}, .reference = {}};
  data::PairReader reader(files, invalid);
  for (data::TextPair pair; reader.next(pair);) {
    dev.source.push_back(std::move(pair.source));
    dev.reference.push_back(std::move(pair.target));
  }
  return dev;
}

/// What a run must find unchanged: SHA-256 by name, whatever the files are called now.
std::map<std::string, std::string> checksums(const PreparedRun& run) {
  std::map<std::string, std::string> sums;
  const auto add = [&](const std::string& prefix, const data::EncodedCorpus& corpus) {
    std::map<std::string, int> count;
    for (const data::CorpusFile& file : corpus.origin().files) {
      sums[fmt::format("{}{} file {}", prefix, file.side, ++count[file.side])] = file.sha256;
    }
    sums["tokenizers"] = corpus.origin().tokenizers;
  };
  add("", *run.corpus);
  if (run.dev) add("valid-", *run.dev->corpus);
  return sums;
}

void check_same_text(const checkpoint::RunDirectory& directory, const std::map<std::string, std::string>& sums) {
  const auto& before = directory.manifest().corpus;
  if (before == sums || directory.checkpoints().list().empty()) return;
  const auto changed = std::find_if(before.begin(), before.end(), [&](const auto& entry) {
    const auto now = sums.find(entry.first);
    return now == sums.end() || now->second != entry.second;
  });
  throw Error(fmt::format("{}: the training there began with other text: {} has changed since", directory.path(),
                          changed == before.end() ? std::string("the number of files") : changed->first));
}

}  // namespace

PreparedRun prepare_run(const RunOptions& options) {
  const InvalidText invalid = options.data.corpus.invalid_text;
  const int64_t threads = use_threads(options.threads);
  pick_device(options.device);
  PreparedRun run;
  run.directory = std::make_unique<checkpoint::RunDirectory>(options.model);
  checkpoint::RunDirectory& directory = *run.directory;
  if (std::filesystem::exists(directory.file(kConfigFile))) check_same_run(directory, options);
  const bool has_valid = options.valid_corpus != data::CorpusFiles{};
  const auto files = data::keep_streams(options.corpus, directory.file("train.text"), invalid);
  const auto valid_files =
      has_valid ? data::keep_streams(options.valid_corpus, directory.file("valid.text"), invalid) : data::CorpusFiles{};
  // Wrong text stops the run before minutes are spent on tokenizers.
  if (tokenizer_files(directory).empty()) {
    data::count_pairs(files, invalid);
    if (has_valid) data::count_pairs(valid_files, invalid);
  }
  directory.write(kConfigFile, format_options(options));
  const text::Tokenizers tokenizers = open_tokenizers(directory, options, files);
  run.tokenizers = text::with_sampling(
      tokenizers, std::visit([](const auto& how) { return sampling_of(how); }, options.text.tokenizers));
  const auto open = [&](const std::string& name, const data::CorpusFiles& text) {
    return data::open_or_build_corpus(directory.file(name), text, tokenizers, options.data.corpus, threads);
  };
  run.corpus = open("train.corpus", files);
  if (has_valid) run.dev = dev_set(open("valid.corpus", valid_files), valid_files, invalid);
  const auto sums = checksums(run);
  check_same_text(directory, sums);
  directory.describe_run(static_cast<uint64_t>(options.seed), sums);
  return run;
}

training::TrainingOutcome run_training(PreparedRun& run, const RunOptions& options,
                                       std::vector<training::Observer*> observers, const training::StopRequest& stop) {
  const at::Device device = pick_device(options.device);
  const int64_t threads = use_threads(options.threads);
  const auto seed = static_cast<uint64_t>(options.seed);
  const auto model = models::build_model(options.arch, vocabulary_sizes(run.tokenizers), seed);
  model->to(device);
  report::JsonLinesObserver history(run.directory->file("metrics.jsonl"));
  observers.push_back(&history);
  training::Trainer trainer({.model = model,
                             .tokenizers = run.tokenizers,
                             .corpus = run.corpus,
                             .dev = run.dev,
                             .stream = options.data.stream,
                             .train = options.train,
                             .valid = options.valid,
                             .log = options.log,
                             .search = options.search.search,
                             .translator = options.search.translator,
                             .device = device,
                             .threads = threads,
                             .seed = seed},
                            *run.directory, std::move(observers));
  return trainer.train(stop);
}

}  // namespace heed::config
