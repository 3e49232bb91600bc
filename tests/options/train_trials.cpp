#include "options/train_trials.h"

#include <fmt/format.h>

#include "heed/core/files/atomic_file.h"
#include "heed/core/files/line_reader.h"
#include "heed/text/learn_tokenizers.h"
#include "options/small_text.h"

namespace heed::options_test {
namespace {

using config::Condition;

const Condition kRnnEncoder{"arch.encoder.type", "rnn"}, kRnnDecoder{"arch.decoder.type", "rnn"};
const Condition kUnigram{"text.type", "unigram"}, kSentencePieceBpe{"text.type", "sentencepiece-bpe"},
    kBpe{"text.type", "bpe"}, kWords{"text.type", "words"}, kGiven{"text.tokenizers", "given"};

/// Two updates of a tiny network, and a validation after each.
Settings base_of(const std::string& folder) {
  return {{"source", {folder + "/train.en"}},
          {"target", {folder + "/train.de"}},
          {"valid-source", {folder + "/dev.en"}},
          {"valid-target", {folder + "/dev.de"}},
          {"threads", {"1"}},
          {"text.type", {"words"}},
          {"arch.d-model", {"8"}},
          {"arch.dropout", {"0.1"}},
          {"data.update-tokens", {"60"}},
          {"data.max-source-length", {"20"}},
          {"data.max-target-length", {"20"}},
          {"data.prefetch-threads", {"1"}},
          {"train.schedule.type", {"constant"}},
          {"train.schedule.learning-rate", {"0.01"}},
          {"train.max-updates", {"2"}},
          {"train.average", {"none"}},
          {"train.replicas", {"1"}},
          {"valid.every", {"1"}},
          {"valid.samples", {"6"}},
          {"log.every", {"1"}},
          {"search.workers", {"1"}}};
}

std::vector<Small> small_alternatives(const std::string& folder) {
  std::vector<Small> small;
  for (const std::string side : {"arch.encoder", "arch.decoder"}) {
    small.push_back(
        {{side + ".type", "transformer"}, {{side + ".layers", {"1"}}, {side + ".feed-forward.hidden", {"8"}}}});
    small.push_back({{side + ".attention", "multi-head"}, {{side + ".heads", {"2"}}}});
    small.push_back({{side + ".type", "convolution"}, {{side + ".layers", {"1"}}, {side + ".hidden", {"8"}}}});
  }
  small.push_back({{"arch.decoder.cross.attention", "multi-head"}, {{"arch.decoder.cross.heads", {"2"}}}});
  small.push_back({kRnnEncoder, {{"arch.encoder.hidden", {"4"}}}});
  small.push_back({kRnnDecoder, {{"arch.encoder.type", {"rnn"}}, {"arch.decoder.hidden", {"8"}}}});
  small.push_back({{"arch.decoder.score", "location"}, {{"arch.decoder.max-source", {"40"}}}});
  small.push_back({{"text.joint", "false"}, {{"arch.tied-embeddings", {"none"}}}});
  small.push_back({kGiven, {{"text.source-tokenizer", {folder + "/one.words"}}}});
  small.push_back({{"data.context", "text"},
                   {{"task", {"language-model"}},
                    {"preset", {"lm-lstm"}},
                    {"arch.encoder.type", {"none"}},
                    {"arch.decoder.type", {"rnn"}},
                    {"arch.decoder.cell", {"lstm"}},
                    {"arch.decoder.layers", {"1"}},
                    {"arch.decoder.attention", {"none"}},
                    {"arch.decoder.initial-state", {"zero"}},
                    {"arch.decoder.readout", {"state"}},
                    {"data.columns", {"4"}},
                    {"data.steps", {"5"}}}});
  return small;
}

/// Of sections that the second alternative does not have.
const Settings kNoSource{{"source", {}},
                         {"valid-source", {}},
                         {"data.max-source-length", {}},
                         {"valid.samples", {}},
                         {"search.workers", {}}};

Settings operator+(Settings left, const Settings& right) {
  for (const auto& [name, values] : right) left[name] = values;
  return left;
}

std::vector<Special> text_specials(const std::string& folder) {
  const std::string codes = folder + "/codes", units = folder + "/units";
  const Settings pieces{{"text.source-tokenizer", {folder + "/one.spm"}},
                        {"data.max-source-length", {"100"}},
                        {"data.max-target-length", {"100"}}};
  return {
      {.option = "source", .values = {folder + "/other.en"}},
      {.option = "target", .values = {folder + "/other.de"}},
      {.option = "pairs",
       .with = {{"source", {}}, {"target", {}}, {"pairs", {folder + "/one.tsv"}}},
       .values = {folder + "/two.tsv"}},
      {.option = "valid-source", .aspect = "validation", .values = {folder + "/dev2.en"}},
      {.option = "valid-target", .aspect = "validation", .values = {folder + "/dev.en"}},
      {.option = "valid-pairs",
       .with = {{"valid-source", {}}, {"valid-target", {}}, {"valid-pairs", {folder + "/one.tsv"}}},
       .aspect = "validation",
       .values = {folder + "/two.tsv"}},
      {.option = "text.tokenizers", .value = "given", .besides = {{"text.type", {}}}},
      {.option = "text.source-tokenizer", .value = folder + "/other.words"},
      {.option = "text.target-tokenizer",
       .value = folder + "/other.words",
       .with = {{"arch.tied-embeddings", {"none"}}}},
      {.option = "text.vocab-size", .value = "40", .where = {kUnigram}},
      {.option = "text.vocab-size", .value = "50", .where = {kSentencePieceBpe}},
      {.option = "text.vocab-size", .value = "10"},
      {.option = "text.source-vocab-size", .value = "31", .where = {kUnigram}, .with = {{"text.joint", {"false"}}}},
      {.option = "text.source-vocab-size",
       .value = "40",
       .where = {kSentencePieceBpe},
       .with = {{"text.joint", {"false"}}}},
      {.option = "text.source-vocab-size", .value = "10", .with = {{"text.joint", {"false"}}}},
      {.option = "text.target-vocab-size", .value = "34", .where = {kUnigram}, .with = {{"text.joint", {"false"}}}},
      {.option = "text.target-vocab-size",
       .value = "40",
       .where = {kSentencePieceBpe},
       .with = {{"text.joint", {"false"}}}},
      {.option = "text.target-vocab-size", .value = "10", .with = {{"text.joint", {"false"}}}},
      {.option = "text.coverage", .value = "0.98"},
      {.option = "text.user-symbols", .values = {"<url>"}},
      {.option = "text.sample-lines", .value = "1000"},
      {.option = "text.sampling", .where = {kGiven}, .with = pieces, .aspect = "parameters"},
      {.option = "text.sampling", .aspect = "parameters"},
      {.option = "text.sampling-alpha", .where = {kGiven}, .with = pieces, .aspect = "parameters"},
      {.option = "text.sampling-alpha", .aspect = "parameters"},
      {.option = "text.sampling-nbest", .value = "2", .where = {kGiven}, .with = pieces, .aspect = "parameters"},
      {.option = "text.sampling-nbest", .value = "2", .aspect = "parameters"},
      {.option = "text.merges", .value = "3"},
      {.option = "text.minimum-frequency", .value = "30"},
      {.option = "text.codes", .values = {codes}},
      {.option = "text.vocabulary", .values = {units}},
      {.option = "text.vocabulary-threshold", .value = "40"},
      {.option = "text.glossaries", .values = {"e.n"}},
      {.option = "text.separator", .value = "##"},
      {.option = "text.dropout",
       .value = "0.5",
       .where = {kGiven},
       .with = {{"text.source-tokenizer", {folder + "/one.codes"}}},
       .aspect = "parameters"},
      {.option = "text.dropout", .value = "0.5", .aspect = "parameters"},
      {.option = "text.minimum-count", .value = "9"},
  };
}

std::vector<Special> data_specials(const std::string& folder) {
  return {
      {.option = "task",
       .value = "language-model",
       .besides = kNoSource + Settings{{"arch.encoder.type", {"none"}}},
       .aspect = "start"},
      {.option = "threads", .aspect = "start"},
      {.option = "data.context",
       .with = kNoSource + Settings{{"data.context", {"text"}}, {"data.update-tokens", {}}},
       .besides = {{"data.columns", {}}, {"data.steps", {}}}},
      {.option = "data.columns", .with = kNoSource},
      {.option = "data.steps", .with = kNoSource},
      {.option = "data.max-source-length", .value = "4"},
      {.option = "data.max-target-length", .value = "4"},
      {.option = "data.shuffle-window", .value = "4"},
      {.option = "data.invalid-text", .with = {{"source", {folder + "/invalid.en"}}}, .aspect = "error"},
      {.option = "vectors.source", .value = folder + "/en.vec"},
      {.option = "vectors.target", .value = folder + "/de.vec"},
      {.option = "vectors.frozen",
       .with = {{"arch.tied-embeddings", {"none"}},
                {"vectors.source", {folder + "/en.vec"}},
                {"vectors.target", {folder + "/de.vec"}}}},
  };
}

std::vector<Special> architecture_specials() {
  return {
      {.option = "arch.encoder.residual", .where = {kRnnEncoder}, .with = {{"arch.encoder.layers", {"3"}}}},
      {.option = "arch.decoder.residual", .where = {kRnnDecoder}, .with = {{"arch.decoder.layers", {"3"}}}},
      {.option = "arch.encoder.direction", .with = {{"arch.encoder.layers", {"2"}}}},
      {.option = "arch.encoder.kernel", .value = "5"},
      {.option = "arch.decoder.context-to-every-layer", .with = {{"arch.decoder.layers", {"2"}}}},
      {.option = "arch.decoder.score-hidden", .value = "5"},
      {.option = "arch.decoder.half-width", .value = "1"},
      {.option = "arch.decoder.horizon", .value = "1"},
      {.option = "arch.decoder.attention",
       .value = "none",
       .where = {kRnnDecoder},
       .with = {{"arch.decoder.readout", {"tanh"}}}},
      {.option = "arch.decoder.readout", .value = "state", .with = {{"arch.decoder.attention", {"none"}}}},
      {.option = "arch.decoder.initial-state",
       .value = "last",
       .with = {{"arch.encoder.direction", {"forward"}}, {"arch.encoder.hidden", {"8"}}}},
      {.option = "arch.decoder.window", .besides = {{"arch.decoder.half-width", {"1"}}}},
      {.option = "arch.decoder.expected-share", .value = "0.5"},
      {.option = "arch.decoder.cross.attention",
       .value = "multi-head",
       .besides = {{"arch.decoder.cross.heads", {"4"}}}},
  };
}

std::vector<Special> training_specials() {
  const Settings never_better{{"valid.min-delta", {"1000"}}, {"train.max-updates", {"4"}}};
  Settings falling = never_better;
  falling["train.schedule.patience"] = {"1"};
  Settings impatient = never_better;
  impatient["valid.patience"] = {"1"};
  const Settings falls_after_one{{"train.schedule.start", {"1"}}, {"train.schedule.every", {"1"}}};
  const Settings four{{"train.max-updates", {"4"}}};
  const Condition plateau{"train.schedule.type", "plateau"}, step{"train.schedule.type", "step"};
  return {
      {.option = "train.optimizer.epsilon", .value = "0.1"},
      {.option = "train.optimizer.nesterov", .with = {{"train.optimizer.momentum", {"0.9"}}}},
      {.option = "train.schedule.type",
       .value = "plateau",
       .with = never_better,
       .besides = {{"train.schedule.patience", {"1"}}},
       .aspect = "reports"},
      {.option = "train.schedule.type", .value = "step", .besides = falls_after_one},
      {.option = "train.schedule.warmup", .value = "3", .where = {{"train.schedule.type", "noam"}}},
      {.option = "train.schedule.warmup", .value = "7"},
      {.option = "train.schedule.length", .value = "9", .with = {{"train.schedule.warmup", {"0"}}}},
      {.option = "train.schedule.final-ratio", .with = {{"train.schedule.warmup", {"0"}}}},
      {.option = "train.schedule.factor", .where = {plateau}, .with = falling, .aspect = "reports"},
      {.option = "train.schedule.patience", .value = "1", .with = never_better, .aspect = "reports"},
      {.option = "train.schedule.minimum", .value = "0.004", .with = falling, .aspect = "reports"},
      {.option = "train.schedule.factor", .where = {step}, .with = falls_after_one},
      {.option = "train.schedule.start", .value = "1", .besides = {{"train.schedule.every", {"1"}}}},
      {.option = "train.schedule.every",
       .value = "2",
       .with = falls_after_one + Settings{{"train.max-updates", {"5"}}},
       .aspect = "reports"},
      {.option = "train.clip-norm", .value = "0.01", .with = {{"train.optimizer.type", {"sgd"}}}},
      {.option = "train.replicas", .with = {{"threads", {"2"}}}},
      {.option = "train.max-updates", .aspect = "final"},
      {.option = "train.max-epochs", .value = "0.1", .aspect = "final"},
      {.option = "train.max-tokens", .value = "20", .aspect = "final"},
      {.option = "train.max-minutes", .value = "0", .aspect = "final"},
      {.option = "train.max-bad-updates",
       .value = "3",
       .with = {{"train.schedule.learning-rate", {"1e38"}},
                {"train.max-updates", {"60"}},
                {"valid.every", {"100"}},
                {"log.every", {"100"}},
                {"train.optimizer.type", {"sgd"}}},
       .aspect = "error"},
      {.option = "train.save-every",
       .value = "1",
       .with = {{"valid.every", {"5"}}, {"train.keep-last", {"9"}}},
       .aspect = "checkpoints"},
      {.option = "train.keep-best",
       .value = "3",
       .with = {{"train.max-updates", {"5"}}, {"train.keep-last", {"1"}}},
       .aspect = "checkpoints"},
      {.option = "train.keep-last", .value = "4", .with = {{"train.max-updates", {"5"}}}, .aspect = "checkpoints"},
      {.option = "train.average", .with = four, .aspect = "final"},
      {.option = "train.average-count", .value = "2", .with = four, .aspect = "final"},
      {.option = "valid.metric", .aspect = "metric"},
      {.option = "valid.every", .value = "2"},
      {.option = "valid.patience", .value = "1", .with = never_better, .aspect = "final"},
      {.option = "valid.min-delta",
       .value = "1000",
       .with = {{"train.max-updates", {"4"}}, {"valid.patience", {"1"}}, {"valid.metric", {"loss"}}},
       .aspect = "final"},
      {.option = "valid.translate", .with = {{"valid.metric", {"loss"}}}, .besides = {{"valid.samples", {}}}},
      {.option = "valid.samples", .value = "2"},
      {.option = "log.every", .value = "2"},
  };
}

/// Of the defaults of search, validation's translations tell; the beam's is only named at the start.
std::vector<Special> search_specials(const std::string& folder) {
  const Settings trained{{"train.max-updates", {"40"}}, {"valid.every", {"40"}}, {"valid.beam", {"4"}}};
  return {
      {.option = "search.beam", .aspect = "start"},
      {.option = "search.max-length-factor", .value = "0"},
      {.option = "search.max-length-constant", .value = "1", .with = {{"search.max-length-factor", {"0"}}}},
      {.option = "search.min-length", .value = "9", .with = trained},
      {.option = "search.max-source-length",
       .value = "8",
       .with = {{"valid-source", {folder + "/long.en"}}, {"valid-target", {folder + "/long.de"}}}},
      {.option = "search.length-penalty", .with = trained},
      {.option = "search.length-alpha", .value = "9", .where = {{"search.length-penalty", "gnmt"}}, .with = trained},
      {.option = "search.length-alpha", .value = "0", .with = trained},
  };
}

std::vector<Exemption> exemptions() {
  const std::string speed = "speed and memory alone: the walk asks that it changes nothing";
  const std::string model = "needs a tokenizer's model or dictionary: tests/metrics/tokenizers";
  return {
      {.option = "preset", .reason = "names other defaults: PresetsAreAllDifferent here"},
      {.option = "model", .reason = "every run here has its own"},
      {.option = "device", .reason = "there is only a CPU: tests/models/device_test.cpp"},
      {.option = "data.prefetch", .reason = speed},
      {.option = "data.prefetch-threads", .reason = speed},
      {.option = "valid.batch-tokens", .reason = speed},
      {.option = "search.batch-sentences", .reason = speed},
      {.option = "search.batch-tokens", .reason = speed},
      {.option = "search.refill", .reason = speed},
      {.option = "search.read-ahead", .reason = speed},
      {.option = "search.workers", .reason = speed},
      {.option = "search.n-best", .reason = "of heed translate alone: search_options_test.cpp"},
      {.option = "search.unknown", .reason = "of a decisive model alone: tests/search"},
      {.option = "arch.encoder.type", .value = "none", .reason = "goes with task = language-model, which is tried"},
      {.option = "valid.tokenize", .value = "ja-mecab", .reason = model},
      {.option = "valid.tokenize", .value = "ko-mecab", .reason = model},
      {.option = "valid.tokenize", .value = "spm", .reason = model},
      {.option = "valid.tokenize", .value = "flores101", .reason = model},
      {.option = "valid.tokenize", .value = "flores200", .reason = model},
      {.option = "valid.tokenize", .value = "spBLEU-1K", .reason = model},
      {.option = "valid.tokenizer-model", .reason = model},
  };
}

text::LineSource lines_of(const std::string& path) {
  return [reader = std::make_shared<LineReader>(path)](std::string& line) { return reader->next(line); };
}

/// The tokenizer of a language, as a file with the ending of its kind.
template <class Kind>
void write_tokenizer(const std::string& folder, const std::string& name, const std::string& text, const Kind& kind) {
  const text::Tokenizers learned = text::learn_tokenizers({.type = kind}, lines_of(text), lines_of(text));
  write_file(fmt::format("{}/{}.{}", folder, name, learned.source->file_ending()), learned.source->serialized());
}

/// Lines SOURCE TAB TARGET.
void write_pairs(const std::string& folder, const std::string& name, const std::string& of) {
  const auto sources = lines_of(fmt::format("{}/{}.en", folder, of)),
             targets = lines_of(fmt::format("{}/{}.de", folder, of));
  std::string pairs;
  for (std::string source, target; sources(source) && targets(target);) pairs += source + '\t' + target + '\n';
  write_file(folder + "/" + name, pairs);
}

}  // namespace

void write_training_files(const std::string& folder) {
  write_text(folder, "train", 60, 1);
  write_text(folder, "other", 60, 2);
  write_text(folder, "dev", 6, 3);
  write_text(folder, "dev2", 6, 4);
  const std::string words = "one two three four nine ", again = words + words + words + '\n';
  write_file(folder + "/long.en", again + again);
  write_file(folder + "/long.de", again + again);
  write_pairs(folder, "one.tsv", "train");
  write_pairs(folder, "two.tsv", "other");
  const std::string text = read_file(folder + "/train.en");
  write_file(folder + "/invalid.en", "\xff" + text);
  write_tokenizer(folder, "one", folder + "/train.en", text::WordsOptions{});
  write_tokenizer(folder, "other", folder + "/train.de", text::WordsOptions{});
  write_tokenizer(folder, "one", folder + "/train.en", text::UnigramOptions{.subwords = {.size = {.vocab_size = 60}}});
  write_tokenizer(folder, "one", folder + "/train.en", text::BpeOptions{});
  write_file(folder + "/codes", "#version: 0.2\ne i\nei n\ns i\n");
  write_file(folder + "/units", "ei@@ 9\nn 9\ns 9\ne@@ 9\n");
  write_file(folder + "/en.vec", "one 1 2 3 4 5 6 7 8\nseven 8 7 6 5 4 3 2 1\n");
  write_file(folder + "/de.vec", "eins 1 2 3 4 5 6 7 8\nsieben 8 7 6 5 4 3 2 1\n");
}

Tables train_tables(const std::string& folder) {
  Tables tables{
      .base = base_of(folder), .small = small_alternatives(folder), .specials = {}, .exemptions = exemptions()};
  for (const auto& some : {text_specials(folder), data_specials(folder), architecture_specials(), training_specials(),
                           search_specials(folder)}) {
    tables.specials.insert(tables.specials.end(), some.begin(), some.end());
  }
  return tables;
}

}  // namespace heed::options_test
