// All options of a training run: those of every module, under the names that the command line, the configuration file
// and the saved config.toml share. Sections: text, data, arch, train, valid, search, log, distributed.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heed/architecture/architecture.h"
#include "heed/command_line/settings.h"
#include "heed/core/options.h"
#include "heed/data/corpus/corpus_files.h"
#include "heed/data/corpus/data_options.h"
#include "heed/model_directory/model_options.h"
#include "heed/text/tokenizer_options.h"
#include "heed_torch/config/embedding_vector_options.h"
#include "heed_torch/distributed/distributed_options.h"
#include "heed_torch/training/train_options.h"

namespace heed::config {

/// What fine-tuning takes from the model that it starts from.
enum class BasePart { Both, Weights, Tokenizers };
constexpr auto option_names(BasePart) {
  using Name = std::pair<BasePart, std::string_view>;
  return std::array{Name{BasePart::Both, "both"}, Name{BasePart::Weights, "weights"},
                    Name{BasePart::Tokenizers, "tokenizers"}};
}

/// The model that a training starts from, if any.
struct BaseOptions {
  std::string from;  ///< model directory; empty: no fine-tuning
  BasePart part = BasePart::Both;
  bool operator==(const BaseOptions&) const = default;

  bool gives_weights() const { return !from.empty() && part != BasePart::Tokenizers; }
  bool gives_tokenizers() const { return !from.empty() && part != BasePart::Weights; }
};
void describe(BaseOptions& o, AnyOptionVisitor auto& visit) {
  visit("from", o.from,
        "fine-tuning: directory of the base model; its architecture, task, preset, tokenizers and search options "
        "are the defaults");
  visit("from-part", o.part,
        "what is taken of it: weights, tokenizers or both. Entries of the vocabulary that are new get new rows");
}

/// Options that fit together, for a size of corpus and machine; see presets.h.
enum class Preset {
  TransformerLowResource,
  TransformerTiny,
  TransformerSmall,
  TransformerBase,
  TransformerBig,
  RnnSutskever,
  RnnBahdanau,
  RnnLuong,
  RnnGnmt,
  RnnMemory,
  Convolution,
  LmLstm,
  LmTransformer,
};
constexpr auto option_names(Preset) {
  using Name = std::pair<Preset, const char*>;
  return std::array{Name{Preset::TransformerLowResource, "transformer-low-resource"},
                    Name{Preset::TransformerTiny, "transformer-tiny"},
                    Name{Preset::TransformerSmall, "transformer-small"},
                    Name{Preset::TransformerBase, "transformer-base"},
                    Name{Preset::TransformerBig, "transformer-big"},
                    Name{Preset::RnnSutskever, "rnn-sutskever"},
                    Name{Preset::RnnBahdanau, "rnn-bahdanau"},
                    Name{Preset::RnnLuong, "rnn-luong"},
                    Name{Preset::RnnGnmt, "rnn-gnmt"},
                    Name{Preset::RnnMemory, "rnn-memory"},
                    Name{Preset::Convolution, "conv"},
                    Name{Preset::LmLstm, "lm-lstm"},
                    Name{Preset::LmTransformer, "lm-transformer"}};
}

/// What a model learns.
enum class Task {
  Translation,     ///< pairs of sentences: p(target | source)
  LanguageModel,   ///< sentences of one language: p(target)
  Classification,  ///< a label for each source
  Labelling,       ///< a label for each word of the source
  Regression,      ///< numbers for each source
};
constexpr auto option_names(Task) {
  using Name = std::pair<Task, const char*>;
  return std::array{Name{Task::Translation, "translation"}, Name{Task::LanguageModel, "language-model"},
                    Name{Task::Classification, "classification"}, Name{Task::Labelling, "labelling"},
                    Name{Task::Regression, "regression"}};
}

/// Whether a model of this task writes text. Otherwise it has a head, which predicts labels or numbers.
bool writes_text(Task task);

/// Tokenizers learned from the training text.
struct LearnedTokenizers {
  static constexpr std::string_view kName = "learned";
  text::TokenizerOptions options;
  bool operator==(const LearnedTokenizers&) const = default;
};
void describe(LearnedTokenizers& o, AnyOptionVisitor auto& visit) { describe(o.options, visit); }

/// Existing tokenizers: files that heed or SentencePiece wrote.
struct ExistingTokenizers {
  static constexpr std::string_view kName = "given";
  std::string source;
  std::string target;  ///< empty: `source` is for both sides, or for a language model
  text::UnigramSampling sampling;
  double dropout = 0;  ///< BPE-dropout, for .codes; 0: off
  bool operator==(const ExistingTokenizers&) const = default;
};
void describe(ExistingTokenizers& o, AnyOptionVisitor auto& visit) {
  visit("source-tokenizer", o.source,
        "tokenizer file (.spm or .model, .codes, .words, .characters or .tokens) of the source");
  visit("target-tokenizer", o.target, "tokenizer file of the target; without it that of the source serves both sides");
  visit.alternatives("sampling", o.sampling, "subword regularization: sample the segmentation of each training line");
  visit("dropout", o.dropout,
        "BPE-dropout of .codes in training: probability of leaving out each possible merge; 0: off", between(0, 1));
}

struct TextOptions {
  std::variant<LearnedTokenizers, ExistingTokenizers> tokenizers;
  std::vector<std::string> protect{};           ///< names of text::ProtectedKind (text/placeholders.h)
  std::vector<std::string> protect_patterns{};  ///< regular expressions
  bool operator==(const TextOptions&) const = default;
};
void describe(TextOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("tokenizers", o.tokenizers, "tokenizers: learn them from the training text, or use given ones");
  visit(
      "protect", o.protect,
      "kinds of text that become placeholders where they are on both sides, so that the model learns to copy them: url, "
      "mail, placeholder (%s, {0}, ${name}), reference (&amp;), tag (<b>), number; translation then protects them too");
  visit("protect-patterns", o.protect_patterns, "further such text: regular expressions of ICU");
}

struct RunOptions {
  Preset preset = Preset::TransformerLowResource;
  Task task = Task::Translation;
  data::CorpusFiles corpus;
  data::CorpusFiles valid_corpus;
  std::string model;
  BaseOptions base;
  int64_t seed = 1;
  std::string device = "auto";
  int64_t threads = 0;
  TextOptions text;
  data::DataOptions data;
  MediaOptions media;
  models::ArchitectureOptions arch;
  EmbeddingVectorOptions vectors;
  training::TrainOptions train;
  training::ValidationOptions valid;
  TranslateOptions search;
  training::LogOptions log;
  distributed::DistributedOptions distributed;
  bool operator==(const RunOptions&) const = default;

  bool has_validation_text() const { return !valid_corpus.target.empty() || !valid_corpus.pairs.empty(); }
};
void describe(RunOptions& options, OptionVisitor& visit);

}  // namespace heed::config
