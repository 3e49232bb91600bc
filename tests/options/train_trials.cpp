#include "options/train_trials.h"

#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "heed/core/files/atomic_file.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/text/unicode.h"
#include "heed/media/image.h"
#include "heed/text/tokenizers/learn_tokenizers.h"
#include "options/small_text.h"
#include "options/watched_training.h"

namespace heed::options_test {
namespace {

using config::Condition;

const Condition kRnnEncoder{"arch.encoder.type", "rnn"}, kRnnDecoder{"arch.decoder.type", "rnn"};
const Condition kUnigram{"text.type", "unigram"}, kSentencePieceBpe{"text.type", "sentencepiece-bpe"},
    kBpe{"text.type", "bpe"}, kWords{"text.type", "words"}, kGiven{"text.tokenizers", "given"};

/// Two steps of a tiny network, and a validation after each.
Settings base_of(const std::string& folder) {
  return {{"source", {folder + "/train.en"}},
          {"target", {folder + "/train.de"}},
          {"valid-source", {folder + "/dev.en"}},
          {"valid-target", {folder + "/dev.de"}},
          {"threads", {"1"}},
          {"text.type", {"words"}},
          {"arch.d-model", {"8"}},
          {"arch.dropout", {"0.1"}},
          {"data.batch-tokens", {"60"}},
          {"data.max-source-length", {"20"}},
          {"data.max-target-length", {"20"}},
          {"data.prefetch-threads", {"1"}},
          {"train.schedule.type", {"constant"}},
          {"train.schedule.learning-rate", {"0.01"}},
          {"train.r-drop", {"0"}},
          {"train.r-drop-start", {"0"}},
          {"train.max-steps", {"2"}},
          {"train.average", {"none"}},
          {"train.replicas", {"1"}},
          {"valid.every", {"1"}},
          {"valid.samples", {"6"}},
          {"log.every", {"1"}},
          {"search.workers", {"1"}}};
}

/// The base's network with what keeps it small.
Settings small_transformer(const std::string& folder) {
  Settings settings = base_of(folder);
  for (const std::string side : {"arch.encoder", "arch.decoder"}) {
    settings[side + ".layers"] = {"1"};
    settings[side + ".heads"] = {"2"};
    settings[side + ".feed-forward.hidden"] = {"8"};
  }
  return settings;
}

/// A head in the decoder's place, and the target that it learns.
Small with_head(const Condition& choice, const std::string& task, const std::string& head, const std::string& ending,
                const std::string& folder) {
  return {.choice = choice,
          .settings = {{"task", {task}},
                       {"arch.decoder.type", {"none"}},
                       {"arch.head.type", {head}},
                       {"arch.tied-embeddings", {"none"}}},
          .instead = {{"target", {folder + "/train." + ending}},
                      {"valid-target", {folder + "/dev." + ending}},
                      {"data.max-target-length", {}},
                      {"valid.samples", {}},
                      {"search.workers", {}}}};
}

std::vector<Small> small_alternatives(const std::string& folder) {
  std::vector<Small> small{with_head({"arch.head.type", "class"}, "classification", "class", "label", folder),
                           with_head({"arch.head.type", "labels"}, "labelling", "labels", "labels", folder),
                           with_head({"arch.head.type", "numbers"}, "regression", "numbers", "numbers", folder),
                           with_head({"arch.decoder.type", "none"}, "classification", "class", "label", folder)};
  for (const std::string type : {"projection", "convolution", "patches"}) {
    small.push_back(
        {.choice = {"arch.vectors.type", type},
         .settings = {{"source-vectors", {folder + "/train.npy"}}, {"valid-source-vectors", {folder + "/dev.npy"}}},
         .instead = {{"source", {}}, {"valid-source", {}}}});
  }
  for (const std::string side : {"arch.encoder", "arch.decoder"}) {
    small.push_back(
        {{side + ".type", "transformer"}, {{side + ".layers", {"1"}}, {side + ".feed-forward.hidden", {"8"}}}});
    small.push_back({{side + ".attention", "multi-head"}, {{side + ".heads", {"2"}}}});
    small.push_back({{side + ".type", "convolution"}, {{side + ".layers", {"1"}}, {side + ".hidden", {"8"}}}});
  }
  small.push_back({{"arch.decoder.cross.attention", "multi-head"}, {{"arch.decoder.cross.heads", {"2"}}}});
  small.push_back({kRnnEncoder, {{"arch.encoder.hidden", {"4"}}}});
  small.push_back({kRnnDecoder, {{"arch.encoder.type", {"rnn"}}, {"arch.decoder.hidden", {"8"}}}});
  for (const std::string type : {"linear", "exponential", "inverse-sigmoid"}) {
    small.push_back({{"train.scheduled-sampling.type", type},
                     {{"arch.encoder.type", {"rnn"}}, {"arch.decoder.type", {"rnn"}}, {"arch.decoder.hidden", {"8"}}}});
  }
  small.push_back({{"arch.decoder.score", "location"}, {{"arch.decoder.max-source", {"40"}}}});
  small.push_back({{"text.joint", "false"}, {{"arch.tied-embeddings", {"none"}}}});
  small.push_back({{"train.adapter.type", "lora"}, {{"from", {folder + "/base"}}}, {{"text.type", {}}}});
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
                    {"data.batch-size", {"4"}},
                    {"data.bptt-length", {"5"}}}});
  return small;
}

/// Of sections that the second alternative does not have.
const Settings kNoSource{{"source", {}},
                         {"valid-source", {}},
                         {"data.max-source-length", {}},
                         {"valid.samples", {}},
                         {"search.workers", {}}};

/// Sources from files of `kind` ("images") instead of text.
Settings with_items(const std::string& folder, const std::string& kind) {
  return {{"source", {}},
          {"valid-source", {}},
          {"source-vectors", {}},
          {"valid-source-vectors", {}},
          {"source-" + kind, {folder + "/train." + kind}},
          {"valid-source-" + kind, {folder + "/dev." + kind}},
          {"arch.vectors.type", {"projection"}},
          {"data.max-source-length", {"400"}}};
}

std::vector<Special> media_specials(const std::string& folder) {
  const Settings pictures = with_items(folder, "images");
  Settings sounds = with_items(folder, "audio");
  sounds["audio.mels"] = {"10"};
  std::vector<Special> specials{
      {.option = "source-images", .value = folder + "/other.images", .with = pictures},
      {.option = "valid-source-images", .value = folder + "/dev2.images", .with = pictures, .aspect = "validation"},
      {.option = "source-audio", .value = folder + "/other.audio", .with = sounds},
      {.option = "valid-source-audio", .value = folder + "/dev2.audio", .with = sounds, .aspect = "validation"},
      {.option = "images.color", .with = pictures}};
  for (const auto& [option, value] : std::map<std::string, std::string>{
           {"rate", "8000"}, {"window", "32"}, {"hop", "5"}, {"mels", "12"}, {"low", "100"}, {"high", "3000"}}) {
    specials.push_back({.option = "audio." + option, .value = value, .with = sounds, .aspect = "parameters"});
  }
  return specials;
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
      {.option = "weights", .value = folder + "/train.weights"},
      {.option = "alignments", .value = folder + "/train.links"},
      {.option = "weight-column",
       .value = "true",
       .with = {{"source", {}}, {"target", {}}, {"pairs", {folder + "/one.tsv"}}},
       .besides = {{"pairs", {folder + "/weighted.tsv"}}}},
      {.option = "source-vectors", .value = folder + "/other.npy", .with = {{"arch.vectors.type", {"projection"}}}},
      {.option = "valid-source-vectors",
       .value = folder + "/dev2.npy",
       .with = {{"arch.vectors.type", {"projection"}}},
       .aspect = "validation"},
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
      {.option = "text.source-normalizer", .value = "nmt_nfkc", .with = {{"text.normalizer", {"nfkc"}}}},
      {.option = "text.target-normalizer", .value = "whitespace", .with = {{"text.normalizer", {"nfkc"}}}},
      {.option = "text.user-symbols", .values = {"<url>"}},
      {.option = "text.protect", .with = {{"text.type", {"characters"}}}, .values = {"url"}},
      {.option = "text.protect-patterns", .with = {{"text.type", {"characters"}}}, .values = {"@@"}},
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
  const auto head = [&](const std::string& name, const std::string& ending) {
    const Small small = with_head({}, "", name, ending, folder);
    Settings settings = small.everything();
    settings.erase("task");
    return settings;
  };
  const auto of_pairs = [&](const std::string& name) {
    return Settings{{"source", {}}, {"target", {}}, {"pairs", {folder + "/" + name}}};
  };
  return {
      {.option = "task",
       .value = "language-model",
       .besides = kNoSource + Settings{{"arch.encoder.type", {"none"}}},
       .aspect = "start"},
      {.option = "task", .value = "classification", .besides = head("class", "label")},
      {.option = "task", .value = "labelling", .besides = head("labels", "labels")},
      {.option = "task", .value = "regression", .besides = head("numbers", "numbers")},
      {.option = "threads", .aspect = "start"},
      {.option = "data.context",
       .with = kNoSource + Settings{{"data.context", {"text"}}, {"data.batch-tokens", {}}},
       .besides = {{"data.batch-size", {}}, {"data.bptt-length", {}}}},
      {.option = "data.batch-size", .with = kNoSource},
      {.option = "data.bptt-length", .with = kNoSource},
      {.option = "data.max-source-length", .value = "4"},
      {.option = "data.max-target-length", .value = "4"},
      {.option = "data.max-length-ratio", .value = "1.5", .with = {{"source", {folder + "/alike.en"}}}},
      {.option = "data.identical-sides", .value = "leave-out", .with = {{"source", {folder + "/alike.en"}}}},
      {.option = "data.source-script", .with = {{"source", {folder + "/alike.en"}}}, .values = {"Greek"}},
      {.option = "data.target-script", .with = {{"target", {folder + "/alike.de"}}}, .values = {"Greek"}},
      {.option = "data.initial-batch-tokens", .value = "20", .with = {{"data.batch-growth-epochs", {"2"}}}},
      {.option = "data.shuffle-window", .value = "4"},
      {.option = "data.shuffle-buffer", .value = "4"},
      {.option = "data.corpus-weights",
       .with = {{"source", {folder + "/train.en", folder + "/other.en"}},
                {"target", {folder + "/train.de", folder + "/other.de"}}},
       .values = {"train*=9", "other*=1"}},
      {.option = "data.augment", .values = {"typos=0.5"}},
      {.option = "data.quotes", .value = "double", .with = of_pairs("quoted.tsv")},
      {.option = "data.header", .with = of_pairs("one.tsv")},
      {.option = "data.bad-rows", .value = "leave-out", .with = of_pairs("bad.tsv"), .aspect = "error"},
      {.option = "data.duplicates", .value = "leave-out", .with = of_pairs("twice.tsv")},
      {.option = "data.leaking", .value = "leave-out", .with = of_pairs("leaking.tsv")},
      {.option = "data.invalid-text", .with = {{"source", {folder + "/invalid.en"}}}, .aspect = "error"},
      {.option = "vectors.source", .value = folder + "/en.vec"},
      {.option = "vectors.target", .value = folder + "/de.vec"},
      {.option = "vectors.frozen",
       .with = {{"arch.tied-embeddings", {"none"}},
                {"vectors.source", {folder + "/en.vec"}},
                {"vectors.target", {folder + "/de.vec"}}}},
  };
}

/// Of a training that begins with another model.
std::vector<Special> base_specials(const std::string& folder) {
  const Settings from{{"from", {folder + "/base"}}, {"text.type", {}}};
  return {
      {.option = "from", .value = folder + "/base", .besides = {{"text.type", {}}}},
      {.option = "from-part", .value = "weights", .with = from},
      {.option = "from-part", .value = "tokenizers", .with = from},
      {.option = "train.freeze", .values = {"encoder"}},
      {.option = "train.adapter.type", .value = "lora", .with = from},
      {.option = "train.adapter.target-modules", .values = {"query"}},
      {.option = "train.adapter.modules-to-save", .values = {"decoder.embedding"}},
  };
}

std::vector<Special> architecture_specials(const std::string& folder) {
  return {
      {.option = "arch.encoder.layer-dropout", .value = "0.9"},
      {.option = "arch.decoder.layer-dropout", .value = "0.9"},
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
      {.option = "arch.vectors.grid-positions", .with = {{"arch.vectors.longest-side", {"8"}}}},
      {.option = "arch.vectors.longest-side",
       .value = "1",
       .with = {{"arch.vectors.grid-positions", {"learned"}},
                {"arch.vectors.layers", {"1"}},
                {"arch.vectors.patch", {"2"}}},
       .aspect = "error"},
      {.option = "arch.vectors.kernel", .value = "5"},
      {.option = "arch.vectors.channel-attention-reduction", .value = "8"},
      {.option = "arch.vectors.type", .aspect = "parameters"},
      {.option = "arch.decoder.cross.attention",
       .value = "multi-head",
       .besides = {{"arch.decoder.cross.heads", {"4"}}}},
      {.option = "arch.decoder.cross.alignment-layer",
       .value = "2",
       .with = {{"alignments", {folder + "/train.links"}}, {"arch.decoder.layers", {"2"}}}},
      {.option = "arch.decoder.cross.alignment-head",
       .value = "2",
       .with = {{"alignments", {folder + "/train.links"}}}},
  };
}

std::vector<Special> training_specials(const std::string& folder) {
  Settings of_labels = with_head({}, "classification", "class", "label", folder).everything();
  Settings of_numbers = with_head({}, "regression", "numbers", "numbers", folder).everything();
  for (Settings* settings : {&of_labels, &of_numbers}) (*settings)["valid.metric"] = {"loss"};
  const Settings never_better{{"valid.min-delta", {"1000"}}, {"train.max-steps", {"4"}}};
  Settings falling = never_better;
  falling["train.schedule.patience"] = {"1"};
  Settings impatient = never_better;
  impatient["valid.patience"] = {"1"};
  const Settings falls_after_one{{"train.schedule.start", {"1"}}, {"train.schedule.every", {"1"}}};
  const Settings four{{"train.max-steps", {"4"}}};
  const Settings recurrent{{"arch.encoder.type", {"rnn"}}, {"arch.decoder.type", {"rnn"}}};
  const Settings of_own_words{{"train.scheduled-sampling.length", {"1"}}};
  const std::string sampling = "train.scheduled-sampling.type";
  const Settings read_twice{{"train.r-drop", {"5"}}};
  const Settings same_words{{"from", {folder + "/base"}}, {"from-part", {"tokenizers"}}, {"text.type", {}}};
  const Settings taught = same_words + Settings{{"train.teacher", {folder + "/base"}}};
  const Condition plateau{"train.schedule.type", "plateau"}, step{"train.schedule.type", "step"};
  return {
      {.option = "train.scheduled-sampling.type", .value = "linear", .with = recurrent, .besides = of_own_words},
      {.option = "train.scheduled-sampling.type",
       .value = "exponential",
       .with = recurrent,
       .besides = {{"train.scheduled-sampling.k", {"0.1"}}}},
      {.option = "train.scheduled-sampling.type",
       .value = "inverse-sigmoid",
       .with = recurrent,
       .besides = {{"train.scheduled-sampling.k", {"1"}}}},
      {.option = "train.scheduled-sampling.length", .value = "1"},
      {.option = "train.scheduled-sampling.minimum", .value = "1", .with = of_own_words},
      {.option = "train.scheduled-sampling.k", .value = "0.1", .where = {{sampling, "exponential"}}},
      {.option = "train.scheduled-sampling.k", .value = "1"},
      {.option = "train.scheduled-sampling.word", .where = {{sampling, "linear"}}, .with = of_own_words},
      {.option = "train.scheduled-sampling.word",
       .where = {{sampling, "exponential"}},
       .with = {{"train.scheduled-sampling.k", {"0.1"}}}},
      {.option = "train.scheduled-sampling.word", .with = {{"train.scheduled-sampling.k", {"1"}}}},
      {.option = "train.r-drop-start", .value = "1", .with = read_twice},
      {.option = "train.r-drop-cutoff.type", .with = read_twice},
      {.option = "train.r-drop-cutoff.share", .value = "0.5", .with = read_twice},
      {.option = "train.teacher", .with = same_words, .values = {folder + "/base"}},
      {.option = "train.teacher-weight", .with = taught},
      {.option = "train.teacher-temperature", .value = "3", .with = taught},
      {.option = "train.guided-alignment-weight", .with = {{"alignments", {folder + "/train.links"}}}},
      {.option = "train.optimizer.epsilon", .value = "0.1"},
      {.option = "train.optimizer.beta1", .where = {{"train.optimizer.type", "schedule-free"}}, .with = four},
      {.option = "train.optimizer.clip", .value = "0.5"},
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
      {.option = "train.schedule.decay-share", .with = four + Settings{{"train.schedule.warmup", {"0"}}}},
      {.option = "train.schedule.factor", .where = {plateau}, .with = falling, .aspect = "reports"},
      {.option = "train.schedule.patience", .value = "1", .with = never_better, .aspect = "reports"},
      {.option = "train.schedule.minimum", .value = "0.004", .with = falling, .aspect = "reports"},
      {.option = "train.schedule.factor", .where = {step}, .with = falls_after_one},
      {.option = "train.schedule.start", .value = "1", .besides = {{"train.schedule.every", {"1"}}}},
      {.option = "train.schedule.every",
       .value = "2",
       .with = falls_after_one + Settings{{"train.max-steps", {"5"}}},
       .aspect = "reports"},
      {.option = "train.clip-norm", .value = "0.01", .with = {{"train.optimizer.type", {"sgd"}}}},
      {.option = "data.total-micro-batches", .value = "2"},
      {.option = "train.replicas", .with = {{"threads", {"2"}}}},
      {.option = "train.max-steps", .aspect = "final"},
      {.option = "train.max-epochs", .value = "0.1", .aspect = "final"},
      {.option = "train.max-tokens", .value = "20", .aspect = "final"},
      {.option = "train.max-minutes", .value = "0", .aspect = "final"},
      {.option = "train.max-nonfinite-steps",
       .value = "3",
       .with = {{"train.schedule.learning-rate", {"1e38"}},
                {"train.max-steps", {"60"}},
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
       .with = {{"train.max-steps", {"5"}}, {"train.keep-last", {"1"}}},
       .aspect = "checkpoints"},
      {.option = "train.keep-last", .value = "4", .with = {{"train.max-steps", {"5"}}}, .aspect = "checkpoints"},
      {.option = "train.average", .with = four, .aspect = "final"},
      {.option = "train.average-count", .value = "2", .with = four, .aspect = "final"},
      {.option = "valid.metric", .value = "accuracy", .with = of_labels, .aspect = "metric"},
      {.option = "valid.metric", .value = "f1", .with = of_labels, .aspect = "metric"},
      {.option = "valid.metric", .value = "mse", .with = of_numbers, .aspect = "metric"},
      {.option = "valid.metric", .value = "mae", .with = of_numbers, .aspect = "metric"},
      {.option = "valid.metric", .aspect = "metric"},
      {.option = "valid.every", .value = "2"},
      {.option = "valid.patience", .value = "1", .with = never_better, .aspect = "final"},
      {.option = "valid.min-delta",
       .value = "1000",
       .with = {{"train.max-steps", {"4"}}, {"valid.patience", {"1"}}, {"valid.metric", {"loss"}}},
       .aspect = "final"},
      {.option = "valid.translate", .with = {{"valid.metric", {"loss"}}}, .besides = {{"valid.samples", {}}}},
      {.option = "valid.samples", .value = "2"},
      {.option = "log.every", .value = "2"},
  };
}

/// Of the defaults of search, validation's translations tell; the beam's is only named at the start.
std::vector<Special> search_specials(const std::string& folder) {
  const Settings trained{{"train.max-steps", {"40"}}, {"valid.every", {"40"}}, {"valid.beam", {"4"}}};
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
      {.option = "search.no-repeat-ngram", .value = "1", .with = trained},
      {.option = "search.repetition-penalty", .value = "100", .with = trained},
  };
}

std::vector<Exemption> exemptions() {
  const std::string speed = "speed and memory alone: the walk asks that it changes nothing";
  const std::string later = "of translations later, which validation's search leaves out: command_options_test.cpp";
  const std::string model = "needs a tokenizer's model or dictionary: tests/metrics/tokenizers";
  return {
      {.option = "preset", .reason = "names other defaults: PresetsAreAllDifferent here"},
      {.option = "model", .reason = "every run here has its own"},
      {.option = "log.tensorboard", .reason = "it writes only its own file: tests/report"},
      {.option = "device", .reason = "there is only a CPU: tests/models/device_test.cpp"},
      {.option = "data.prefetch", .reason = speed},
      {.option = "text.sample-megabytes", .reason = "of megabytes of text: tests/config/setup/training_run_test.cpp"},
      {.option = "distributed.launcher", .reason = "of several processes: tests/end_to_end/train/ranks_test.cpp"},
      {.option = "distributed.backend", .reason = "of several processes: tests/device/command_line_test.cpp"},
      {.option = "distributed.shard-optimizer",
       .reason = "of several processes: tests/end_to_end/train/ranks_test.cpp"},
      {.option = "distributed.timeout-seconds",
       .reason = "of several processes: tests/end_to_end/train/ranks_test.cpp"},
      {.option = "data.prefetch-threads", .reason = speed},
      {.option = "valid.batch-tokens", .reason = speed},
      {.option = "search.batch-sentences", .reason = speed},
      {.option = "search.batch-tokens", .reason = speed},
      {.option = "search.continuous-batching", .reason = speed},
      {.option = "search.buffer-lines", .reason = speed},
      {.option = "search.workers", .reason = speed},
      {.option = "search.n-best", .reason = later},
      {.option = "search.unknown", .reason = "of a decisive model alone: tests/search"},
      {.option = "search.method", .reason = later},
      {.option = "search.temperature", .reason = later},
      {.option = "search.top-k", .reason = later},
      {.option = "search.top-p", .reason = later},
      {.option = "search.epsilon", .reason = later},
      {.option = "search.seed", .reason = later},
      {.option = "search.word-reward", .reason = "of a decisive model alone: tests/search"},
      {.option = "search.coverage-penalty", .reason = "of a decisive model alone: tests/search"},
      {.option = "search.stop", .reason = "of a decisive model alone: tests/search"},
      {.option = "search.patience", .reason = "of a decisive model alone: tests/search"},
      {.option = "search.groups", .reason = later},
      {.option = "search.diversity", .reason = later},
      {.option = "arch.vectors.width", .reason = "follows from the file: tests/config/setup/source_vectors_test.cpp"},
      {.option = "arch.vectors.grid", .reason = "follows from the file: tests/config/setup/source_vectors_test.cpp"},
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

/// A label for each line, labels for its words, and two numbers.
void write_targets(const std::string& folder, const std::string& name) {
  std::string label, labels, numbers;
  const auto lines = lines_of(fmt::format("{}/{}.en", folder, name));
  for (std::string line; lines(line);) {
    const auto words = split_whitespace(line);
    label += words.size() % 2 == 0 ? "even\n" : "odd\n";
    for (size_t i = 0; i < words.size(); ++i) labels += words[i].size() > 3 ? "long " : "short ";
    labels += '\n';
    numbers += fmt::format("{} {}\n", words.size(), line.size());
  }
  write_file(fmt::format("{}/{}.label", folder, name), label);
  write_file(fmt::format("{}/{}.labels", folder, name), labels);
  write_file(fmt::format("{}/{}.numbers", folder, name), numbers);
}

/// NumPy's file of `items` grids of 3 x 4 vectors of two float32.
void write_vectors(const std::string& path, int64_t items, uint64_t seed) {
  std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, 3, 4, 2), }}", items);
  header.resize(118, ' ');
  std::string file("\x93NUMPY\x01\x00\x76\x00", 10);
  file += header.substr(0, 117) + '\n';
  RandomStream random(seed, Purpose::Test);
  for (int64_t i = 0; i < items * 24; ++i) {
    const auto value = static_cast<float>(random.below(1000)) / 100;
    file.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  write_file(path, file);
}

/// A sound of one tone, a twentieth of a second long.
void write_sound(const std::string& path, double hertz) {
  constexpr int32_t kRate = 16000, kSamples = 800;
  std::string file("RIFF");
  const auto add = [&](auto number) { file.append(reinterpret_cast<const char*>(&number), sizeof number); };
  add(int32_t{36 + 2 * kSamples});
  file += "WAVEfmt ";
  add(int32_t{16});
  add(int16_t{1});  // PCM
  add(int16_t{1});  // channel
  add(kRate);
  add(int32_t{2 * kRate});
  add(int16_t{2});
  add(int16_t{16});
  file += "data";
  add(int32_t{2 * kSamples});
  for (int32_t i = 0; i < kSamples; ++i) add(static_cast<int16_t>(9000 * std::sin(i * hertz * 6.2832 / kRate)));
  write_file(path, file);
}

/// Six pictures and six sounds, and lists of them in other orders.
void write_media(const std::string& folder) {
  for (int64_t i = 0; i < 6; ++i) {
    media::Image picture{.height = 3, .width = 4, .channels = 3, .pixels = {}};
    for (int64_t k = 0; k < 36; ++k) picture.pixels.push_back(static_cast<uint8_t>((k * 37 + i * 91) % 256));
    media::write_picture(fmt::format("{}/{}.png", folder, i), picture);
    write_sound(fmt::format("{}/{}.wav", folder, i), 200.0 + 300.0 * static_cast<double>(i));
  }
  for (const auto& [name, items, step] :
       {std::tuple{"train", 60, 1}, {"other", 60, 5}, {"dev", 6, 1}, {"dev2", 6, 5}}) {
    std::string pictures, sounds;
    for (int i = 0; i < items; ++i) {
      pictures += fmt::format("{}.png\n", i * step % 6);
      sounds += fmt::format("{}.wav\n", i * step % 6);
    }
    write_file(fmt::format("{}/{}.images", folder, name), pictures);
    write_file(fmt::format("{}/{}.audio", folder, name), sounds);
  }
}

/// train.en, of which some lines are those of train.de, some Greek, and some their first word alone; train.de with the
/// same Greek lines.
void write_alike(const std::string& folder) {
  std::string source, target;
  const std::vector<std::string> english = read_lines(folder + "/train.en"), german = read_lines(folder + "/train.de");
  for (size_t i = 0; i < english.size(); ++i) {
    const std::string greek = "\u03b1\u03b2\u03b3 \u03b4";
    const std::string first = english[i].substr(0, english[i].find(' '));
    source += (i % 4 == 0 ? german[i] : i % 4 == 1 ? greek : i % 4 == 2 ? first : english[i]) + "\n";
    target += (i % 4 == 1 ? greek : german[i]) + "\n";
  }
  write_file(folder + "/alike.en", source);
  write_file(folder + "/alike.de", target);
}

/// Weights of one.tsv's pairs, in a file and in a third column, and alignments of their first words.
void write_weights(const std::string& folder) {
  std::string weights, columns, links;
  for (const std::string& pair : read_lines(folder + "/one.tsv")) {
    const std::string weight = std::to_string(1 + columns.size() % 5);
    weights += weight + '\n';
    links += "0-0\n";
    columns += pair + '\t' + weight + '\n';
  }
  write_file(folder + "/train.weights", weights);
  write_file(folder + "/train.links", links);
  write_file(folder + "/weighted.tsv", columns);
}

/// one.tsv with quotes, with a row that is no pair, with rows that repeat others, and with pairs of dev.en and dev.de.
void write_rows(const std::string& folder) {
  const std::vector<std::string> pairs = read_lines(folder + "/one.tsv");
  std::string quoted, all;
  for (const std::string& pair : pairs) {
    const size_t tab = pair.find('\t');
    quoted += '"' + pair.substr(0, tab) + "\"\t\"" + pair.substr(tab + 1) + "\"\n";
    all += pair + '\n';
  }
  write_file(folder + "/quoted.tsv", quoted);
  write_file(folder + "/bad.tsv", all + "no pair\n");
  write_file(folder + "/twice.tsv", all + pairs[1] + '\n' + pairs[2] + '\n' + pairs[1] + '\n');
  const std::vector<std::string> source = read_lines(folder + "/dev.en"), target = read_lines(folder + "/dev.de");
  for (size_t line = 0; line < source.size(); ++line) all += source[line] + '\t' + target[line] + '\n';
  write_file(folder + "/leaking.tsv", all);
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
  for (const std::string name : {"train", "other", "dev", "dev2"}) write_targets(folder, name);
  write_vectors(folder + "/train.npy", 60, 1);
  write_vectors(folder + "/other.npy", 60, 2);
  write_vectors(folder + "/dev.npy", 6, 3);
  write_vectors(folder + "/dev2.npy", 6, 4);
  write_media(folder);
  write_pairs(folder, "one.tsv", "train");
  write_weights(folder);
  write_rows(folder);
  write_alike(folder);
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
  const Left base = train(
      small_transformer(folder) + Settings{{"source", {folder + "/other.en"}}, {"target", {folder + "/other.de"}}},
      folder + "/base");
  if (base.contains("error")) throw Error("the model of `from` cannot be trained: " + base.at("error"));
}

Tables train_tables(const std::string& folder) {
  Tables tables{
      .base = base_of(folder), .small = small_alternatives(folder), .specials = {}, .exemptions = exemptions()};
  for (const auto& some : {media_specials(folder), text_specials(folder), data_specials(folder), base_specials(folder),
                           architecture_specials(folder), training_specials(folder), search_specials(folder)}) {
    tables.specials.insert(tables.specials.end(), some.begin(), some.end());
  }
  return tables;
}

}  // namespace heed::options_test
