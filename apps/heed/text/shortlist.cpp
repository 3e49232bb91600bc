#include <algorithm>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/shell_word.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "heed/data/lexicon/translation_table.h"
#include "heed/model_directory/directory_lock.h"
#include "heed/model_directory/manifest.h"
#include "heed/model_directory/published.h"
#include "heed/model_directory/settle.h"
#include "heed/text/short_list.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "output.h"

namespace heed::apps {
namespace {

constexpr const char* kCorpus = "train.corpus";  // file name in a model directory

struct ShortListCommand {
  std::string model;
  int64_t translations = 100;
  int64_t frequent = 100;
  int64_t pairs = 500'000;
  int64_t iterations = 5;
};
void describe(ShortListCommand& o, OptionVisitor& visit) {
  visit("model", o.model, "model directory that `heed train` made, with the corpus that it was trained on");
  visit("translations", o.translations, "likeliest translations of each source token that are listed", at_least(1));
  visit("frequent", o.frequent, "most frequent target tokens, which are on every list", between(0, 1e9));
  visit("pairs", o.pairs, "most pairs of the corpus to learn from; of a larger one every n-th is taken", at_least(1));
  visit("iterations", o.iterations, "iterations of expectation maximization", between(1, 1000));
}

const config::CommandHelp kShortListHelp{
    .usage = "heed shortlist --model DIR [options]",
    .summary =
        R"(Learns which target tokens translate each source token, by IBM model 1 on the corpus that the model was
trained on, and saves the likeliest in the model directory. `heed translate --shortlist` then searches only
among the translations of a sentence's tokens, the most frequent tokens and end-of-sentence, which is faster.)",
    .examples = R"(  heed shortlist --model models/en-de
  heed shortlist --model models/en-de --translations 50 --frequent 200
  heed translate --model models/en-de --shortlist < test.en)",
};

/// Every n-th pair of a corpus, at most `most` pairs.
class SomePairs {
 public:
  SomePairs(const data::EncodedCorpus& corpus, int64_t most)
      : corpus_(corpus), distance_((corpus.size() + most - 1) / most) {}
  int64_t size() const { return (corpus_.size() + distance_ - 1) / distance_; }
  data::TokenPair operator()(int64_t i) const {
    return {corpus_.source_ids(i * distance_), corpus_.target_ids(i * distance_)};
  }

 private:
  const data::EncodedCorpus& corpus_;
  int64_t distance_;
};

/// The most frequent target tokens; ties in the order of the vocabulary.
std::vector<int32_t> most_frequent(const SomePairs& pairs, int64_t vocabulary, int64_t count) {
  std::vector<int64_t> counts(static_cast<size_t>(vocabulary));
  for (int64_t i = 0; i < pairs.size(); ++i) {
    for (const int32_t token : pairs(i).target) ++counts[static_cast<size_t>(token)];
  }
  std::vector<int32_t> tokens;
  for (int32_t token = 0; token < vocabulary; ++token) {
    if (counts[static_cast<size_t>(token)] > 0) tokens.push_back(token);
  }
  std::ranges::stable_sort(tokens, std::greater{}, [&](int32_t token) { return counts[static_cast<size_t>(token)]; });
  if (std::ssize(tokens) > count) tokens.resize(static_cast<size_t>(count));
  return tokens;
}

text::ShortListContent learn(const ShortListCommand& command, const text::Tokenizers& tokenizers,
                             const SomePairs& pairs) {
  log_info(fmt::format("learning translations of tokens from {}", counted(pairs.size(), "pair")));
  const data::TranslationTable table(
      pairs.size(), pairs, tokenizers.source->size(), command.iterations,
      [&](int64_t iteration) { log_info(fmt::format("iteration {} of {}", iteration, command.iterations)); });
  text::ShortListContent parts{.target_size = tokenizers.target->size(),
                               .frequent = most_frequent(pairs, tokenizers.target->size(), command.frequent),
                               .by_token = {}};
  for (int32_t token = 0; token < tokenizers.source->size(); ++token) {
    auto& listed = parts.by_token.emplace_back();
    for (const auto& translation : table.best(token, command.translations)) listed.push_back(translation.token);
  }
  return parts;
}

/// Throws CheckpointError if any other file of the model directory is missing or damaged.
void verify_all_but(const std::string& model, const std::string& name) {
  checkpoint::Manifest manifest = checkpoint::read_model_manifest(model);
  manifest.files.erase(name);
  checkpoint::verify_files(model, manifest, checkpoint::Verify::Checksums);
}

/// Writes the shortlist and lists it in the manifest.
void save(const std::string& model, const text::ShortListContent& parts) {
  const std::string replacement = fmt::format("{}/{}.new", model, text::kShortListFile);
  text::write_short_list(replacement, parts);
  checkpoint::Manifest manifest = checkpoint::read_manifest(model);
  checkpoint::settle(model, manifest);
  checkpoint::replace_file(model, manifest, text::kShortListFile, replacement);
}

/// Throws Error if the model directory has no corpus to learn from.
void require_corpus(const std::string& model) {
  if (std::filesystem::exists(model + "/" + kCorpus)) return;
  const bool streamed = checkpoint::read_manifest(model).corpus.contains(checkpoint::kStreamedText);
  throw Error(fmt::format(
      "{0} has no {1}, which a shortlist is learned from{2}: train from it with stored text, `heed train --from {3} "
      "--model OTHER --source FILE --target FILE`, and name OTHER",
      model, kCorpus, streamed ? ", as its text was a stream (data.shuffle-buffer) and is not stored" : "",
      shell_path(model)));
}

int make_short_list(const ShortListCommand& command, const config::Arguments&) {
  require_option(!command.model.empty(), "model", "name the directory that `heed train` made");
  checkpoint::read_consistently(command.model, [&] { verify_all_but(command.model, text::kShortListFile); });
  const text::Tokenizers tokenizers = text::load_tokenizers(command.model);
  if (!tokenizers.source) {
    throw ConfigError("--model", command.model + " is a language model, which translates no tokens");
  }
  require_corpus(command.model);
  const checkpoint::DirectoryLock lock(command.model);  // a training would write the manifest too
  require_writable(command.model + "/" + text::kShortListFile);
  const data::EncodedCorpus corpus(command.model + "/" + kCorpus, nullptr, data::id_ranges(tokenizers));
  save(command.model, learn(command, tokenizers, SomePairs(corpus, command.pairs)));
  log_info(fmt::format("saved; `heed translate --model {} --shortlist` uses it", shell_path(command.model)));
  return 0;
}

}  // namespace

config::Command shortlist_command() {
  return with_options<ShortListCommand>({.name = "shortlist", .help = kShortListHelp}, make_short_list);
}

}  // namespace heed::apps
