// Trainings that take a second: copy or reverse a sequence of letters.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "heed/core/files/atomic_file.h"
#include "heed/core/random.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "heed/text/word_tokenizer.h"
#include "heed_torch/training/trainer.h"
#include "support/temporary_directory.h"
#include "support/tiny_models.h"

namespace heed::testing {

using Sequence = std::vector<std::string>;
inline Sequence copied(Sequence words) { return words; }
inline Sequence reversed(Sequence words) {
  std::reverse(words.begin(), words.end());
  return words;
}

/// Pairs of a random sequence of the letters a to h, `shortest` to `longest` long, and what the task makes of it.
struct ToyCorpus {
  std::vector<std::string> source, target;

  ToyCorpus(int64_t pairs, uint64_t shortest, uint64_t longest, uint64_t seed,
            const std::function<Sequence(Sequence)>& task) {
    RandomStream random(seed, Purpose::Test);
    const auto join = [](const Sequence& words) {
      std::string line;
      for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
      return line;
    };
    for (int64_t i = 0; i < pairs; ++i) {
      Sequence words(shortest + random.below(longest - shortest + 1));
      for (std::string& word : words) word = static_cast<char>('a' + random.below(8));
      source.push_back(join(words));
      target.push_back(join(task(words)));
    }
  }
};

/// What a Trainer needs, in a directory of its own; each setup() has a model with the same initial values.
class ToyTask {
 public:
  explicit ToyTask(const std::function<Sequence(Sequence)>& task = reversed, int64_t pairs = 2000,
                   uint64_t shortest = 1)
      : train_(encode("train", ToyCorpus(pairs, shortest, 8, 1, task))),
        dev_text_(50, shortest, 8, 2, task),
        dev_(encode("dev", dev_text_)) {}

  training::TrainerSetup setup() const {
    models::ArchitectureOptions architecture = tiny_transformer();
    architecture.dropout = 0.1;
    const int64_t size = tokenizers_.target->size();
    training::TrainerSetup setup{.model = models::build_model(architecture, {.source = size, .target = size}, 7),
                                 .tokenizers = tokenizers_,
                                 .text = std::make_shared<data::StoredText>(train_),
                                 .validation = training::ValidationSet{
                                     .corpus = dev_, .source = dev_text_.source, .reference = dev_text_.target}};
    setup.stream.context = data::SentenceContext{.step_tokens = 120, .shuffle_window = 300};
    setup.train.schedule = training::ConstantSchedule{.learning_rate = 2e-3};
    setup.train.label_smoothing = 0;
    setup.train.replicas = 1;
    setup.valid.translate = training::NoTranslation{};
    setup.valid.metric = training::ValidationMetric::Loss;
    setup.translator.workers = 1;
    return setup;
  }
  /// A new, empty model directory.
  std::string model_directory(const std::string& name) const { return directory_.file(name); }
  const ToyCorpus& dev_text() const { return dev_text_; }
  const data::EncodedCorpus& corpus() const { return *train_; }

 private:
  std::shared_ptr<const data::EncodedCorpus> encode(const std::string& name, const ToyCorpus& text) const {
    const auto write = [&](const std::string& side, const std::vector<std::string>& lines) {
      std::string content;
      for (const std::string& line : lines) content += line + "\n";
      write_file(directory_.file(name + side), content);
      return std::vector{directory_.file(name + side)};
    };
    const data::CorpusFiles files{
        .source = write(".source", text.source), .target = write(".target", text.target), .pairs = {}};
    data::build_corpus(directory_.file(name), files, tokenizers_, {});
    return std::make_shared<const data::EncodedCorpus>(directory_.file(name));
  }
  static text::Tokenizers letters() {
    const auto tokenizer = std::make_shared<text::WordTokenizer>(
        text::WordTokenizer::kWordsEnding, std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g", "h"});
    return {.source = tokenizer, .target = tokenizer};
  }

  TemporaryDirectory directory_;
  text::Tokenizers tokenizers_ = letters();
  std::shared_ptr<const data::EncodedCorpus> train_;
  ToyCorpus dev_text_;
  std::shared_ptr<const data::EncodedCorpus> dev_;
};

}  // namespace heed::testing
