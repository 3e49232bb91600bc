#include "heed/command_line/toolkit_names.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "heed/core/parsed_number.h"

namespace heed::config {
namespace {

/// Names in fairseq, Marian, OpenNMT, Sockeye, Joey NMT, CTranslate2, transformers, sacreBLEU and translation services.
constexpr PeerName kPeerNames[] = {
    {"accum-count", "data.micro-batches"},
    {"after-batches", "train.max-steps"},
    {"after-epochs", "train.max-epochs"},
    {"alignment-heads", "arch.decoder.cross.alignment-head"},
    {"alignment-lambda", "train.guided-alignment-weight"},
    {"allow-unk", "search.unknown"},
    {"average-decay", "train.ema-decay"},
    {"avoid-list", "forbid"},
    {"bad-words", "forbid"},
    {"bad-words-ids", "forbid"},
    {"batch-size", "data.batch-size"},
    {"batch-size", "data.batch-tokens"},
    {"batch-size", "search.batch-sentences"},
    {"batch-size", "batch-tokens"},
    {"beam-size", "search.beam"},
    {"block-ngram-repeat", "search.no-repeat-ngram"},
    {"clip-norm", "train.clip-norm"},
    {"compute-type", "precision"},
    {"constraints", "terminology"},
    {"cost-type", "valid.metric"},
    {"cpu-threads", "threads"},
    {"decoder-layerdrop", "arch.decoder.layer-dropout"},
    {"dev", "valid-source"},
    {"disp-freq", "log.every"},
    {"diverse-beam-groups", "search.groups"},
    {"diverse-beam-strength", "search.diversity"},
    {"diversity-penalty", "search.diversity"},
    {"do-sample", "search.method"},
    {"dropout", "arch.dropout"},
    {"dropout-src", "arch.word-dropout"},
    {"dropout-trg", "arch.word-dropout"},
    {"early-stopping", "valid.patience"},
    {"emb-size", "arch.d-model"},
    {"embed-dim", "arch.d-model"},
    {"encoder-layerdrop", "arch.encoder.layer-dropout"},
    {"epochs", "train.max-epochs"},
    {"eval-steps", "valid.every"},
    {"exponential-smoothing", "train.ema-decay"},
    {"finetune-from-model", "from"},
    {"fixed-param-names", "train.freeze"},
    {"force-decode", "prefix"},
    {"force-words-ids", "terminology"},
    {"freeze-encoder", "train.freeze"},
    {"freeze-params", "train.freeze"},
    {"global-attention", "arch.decoder.score"},
    {"global-attention-function", "arch.decoder.attention-function"},
    {"glossary", "terminology"},
    {"gpus", "device"},
    {"guided-alignment", "alignments"},
    {"hidden-size", "arch.d-model"},
    {"hours", "train.max-minutes", 60},
    {"hypothesis", "input"},
    {"init-from", "from"},
    {"intra-threads", "threads"},
    {"json-input", "format"},
    {"keep-last-epochs", "train.keep-last"},
    {"label-smoothing", "train.label-smoothing"},
    {"lambda-align", "train.guided-alignment-weight"},
    {"learn-rate", "train.schedule.learning-rate"},
    {"learning-rate", "train.schedule.learning-rate"},
    {"length-penalty", "search.length-alpha"},
    {"lenpen", "search.length-alpha"},
    {"load-alignments", "alignments"},
    {"load-model", "from"},
    {"log-interval", "log.every"},
    {"lora-alpha", "train.adapter.alpha"},
    {"lora-dropout", "train.adapter.dropout"},
    {"lora-r", "train.adapter.rank"},
    {"lora-rank", "train.adapter.rank"},
    {"lora-target-modules", "train.adapter.target-modules"},
    {"lr", "train.schedule.learning-rate"},
    {"lr-scheduler", "train.schedule.type"},
    {"lr-warmup", "train.schedule.warmup"},
    {"max-decoding-length", "search.max-length-constant"},
    {"max-epoch", "train.max-epochs"},
    {"max-input-length", "search.max-source-length"},
    {"max-len-a", "search.max-length-factor"},
    {"max-len-b", "search.max-length-constant"},
    {"max-new-tokens", "search.max-length-constant"},
    {"max-steps", "train.max-steps"},
    {"max-tokens", "data.batch-tokens"},
    {"max-update", "train.max-steps"},
    {"max-updates", "train.max-steps"},
    {"min-decoding-length", "search.min-length"},
    {"min-len", "search.min-length"},
    {"min-new-tokens", "search.min-length"},
    {"mini-batch", "data.batch-tokens"},
    {"mini-batch-words", "data.batch-tokens"},
    {"model-name-or-path", "from"},
    {"models", "model"},
    {"modules-to-save", "train.adapter.modules-to-save"},
    {"n-best", "search.n-best"},
    {"nbest", "search.n-best"},
    {"nbest-size", "search.n-best"},
    {"no-repeat-ngram-size", "search.no-repeat-ngram"},
    {"normalize", "search.length-alpha"},
    {"num-beam-groups", "search.groups"},
    {"num-beams", "search.beam"},
    {"num-hypotheses", "search.n-best"},
    {"num-return-sequences", "search.n-best"},
    {"optim", "train.optimizer.type"},
    {"optimizer", "train.optimizer.type"},
    {"output-sampling", "search.method"},
    {"patience", "valid.patience"},
    {"phrase-table", "dictionary"},
    {"prefix", "model"},
    {"prefix-size", "prefix"},
    {"pretrained-model", "from"},
    {"print-alignment", "alignment"},
    {"random-sampling-temp", "search.temperature"},
    {"random-sampling-topk", "search.top-k"},
    {"random-sampling-topp", "search.top-p"},
    {"replace-unk", "replace-unknown"},
    {"replace-unknowns", "replace-unknown"},
    {"report-align", "alignment"},
    {"report-every", "log.every"},
    {"restore-file", "from"},
    {"restrict-lexicon", "shortlist"},
    {"sample", "search.method"},
    {"sampling", "search.method"},
    {"sampling-temperature", "search.temperature"},
    {"sampling-topk", "search.top-k"},
    {"sampling-topp", "search.top-p"},
    {"save-data", "model"},
    {"save-dir", "model"},
    {"save-interval-updates", "train.save-every"},
    {"save-model", "model"},
    {"share-vocab", "text.joint"},
    {"shared-vocab", "text.joint"},
    {"source-lang", "source"},
    {"src", "source"},
    {"src-train", "source"},
    {"suppress-sequences", "forbid"},
    {"target-lang", "target"},
    {"target-modules", "train.adapter.target-modules"},
    {"target-prefix", "prefix"},
    {"terms", "terminology"},
    {"tgt", "target"},
    {"train-from", "from"},
    {"train-sets", "source"},
    {"train-steps", "train.max-steps"},
    {"transformer-guided-alignment-layer", "arch.decoder.cross.alignment-layer"},
    {"transformer-heads", "arch.encoder.heads"},
    {"update-freq", "data.micro-batches"},
    {"use-vmap", "shortlist"},
    {"valid-freq", "valid.every"},
    {"valid-interval", "valid.every"},
    {"valid-metrics", "valid.metric"},
    {"valid-sets", "valid-source"},
    {"vocab-size", "text.vocab-size"},
    {"warmup-steps", "train.schedule.warmup"},
    {"warmup-updates", "train.schedule.warmup"},
    {"weight-decay", "train.optimizer.weight-decay"},
    {"word-penalty", "search.word-reward"},
    {"word-scores", "json-tokens"},
    {"workers", "threads"},
};

}  // namespace

std::span<const PeerName> all_peer_names() { return kPeerNames; }

std::vector<std::string> names_of_peers(std::string_view name) {
  std::vector<std::string> names;
  for (const PeerName& entry : kPeerNames) {
    if (entry.theirs == name) names.emplace_back(entry.ours);
  }
  return names;
}

std::string value_of_peer(std::string_view theirs, std::string_view ours, const std::string& value) {
  const auto number = parsed_number<double>(value);
  for (const PeerName& entry : kPeerNames) {
    if (number && entry.unit > 0 && entry.theirs == theirs && entry.ours == ours) {
      return fmt::format("{}", *number * entry.unit);
    }
  }
  return {};
}

bool names_translations(std::string_view name) {
  constexpr std::array kNames{"hyp",    "hypothesis", "hypotheses",  "sys",
                              "system", "output",     "translation", "translations"};
  return std::ranges::find(kNames, name) != kNames.end();
}

}  // namespace heed::config
