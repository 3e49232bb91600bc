#include "heed/config/command_line/peer_names.h"

#include <algorithm>
#include <array>

namespace heed::config {
namespace {

/// Of fairseq, Marian, OpenNMT, Sockeye, Joey NMT, CTranslate2 and sacreBLEU.
constexpr PeerName kPeerNames[] = {
    {"accum-count", "data.parts"},
    {"after-batches", "train.max-updates"},
    {"after-epochs", "train.max-epochs"},
    {"batch-size", "data.update-tokens"},
    {"batch-size", "search.batch-sentences"},
    {"batch-size", "batch-tokens"},
    {"beam-size", "search.beam"},
    {"clip-norm", "train.clip-norm"},
    {"compute-type", "precision"},
    {"cost-type", "valid.metric"},
    {"cpu-threads", "threads"},
    {"dev", "valid-source"},
    {"disp-freq", "log.every"},
    {"dropout", "arch.dropout"},
    {"early-stopping", "valid.patience"},
    {"emb-size", "arch.d-model"},
    {"embed-dim", "arch.d-model"},
    {"epochs", "train.max-epochs"},
    {"eval-steps", "valid.every"},
    {"finetune-from-model", "from"},
    {"fixed-param-names", "train.freeze"},
    {"freeze-encoder", "train.freeze"},
    {"freeze-params", "train.freeze"},
    {"gpus", "device"},
    {"hidden-size", "arch.d-model"},
    {"hypothesis", "input"},
    {"init-from", "from"},
    {"keep-last-epochs", "train.keep-last"},
    {"label-smoothing", "train.label-smoothing"},
    {"learn-rate", "train.schedule.learning-rate"},
    {"learning-rate", "train.schedule.learning-rate"},
    {"lenpen", "search.length-alpha"},
    {"length-penalty", "search.length-alpha"},
    {"load-model", "from"},
    {"log-interval", "log.every"},
    {"lora-alpha", "train.adapter.alpha"},
    {"lora-dropout", "train.adapter.dropout"},
    {"lora-r", "train.adapter.rank"},
    {"lora-rank", "train.adapter.rank"},
    {"lora-target-modules", "train.adapter.maps"},
    {"lr", "train.schedule.learning-rate"},
    {"lr-scheduler", "train.schedule.type"},
    {"lr-warmup", "train.schedule.warmup"},
    {"max-epoch", "train.max-epochs"},
    {"max-len-b", "search.max-length-constant"},
    {"max-tokens", "data.update-tokens"},
    {"max-update", "train.max-updates"},
    {"max-updates", "train.max-updates"},
    {"mini-batch", "data.update-tokens"},
    {"mini-batch-words", "data.update-tokens"},
    {"model-name-or-path", "from"},
    {"models", "model"},
    {"modules-to-save", "train.adapter.beside"},
    {"n-best", "search.n-best"},
    {"nbest", "search.n-best"},
    {"normalize", "search.length-alpha"},
    {"optim", "train.optimizer.type"},
    {"optimizer", "train.optimizer.type"},
    {"patience", "valid.patience"},
    {"prefix", "model"},
    {"pretrained-model", "from"},
    {"report-every", "log.every"},
    {"restore-file", "from"},
    {"restrict-lexicon", "short-list"},
    {"save-data", "model"},
    {"save-dir", "model"},
    {"save-interval-updates", "train.save-every"},
    {"save-model", "model"},
    {"shared-vocab", "text.joint"},
    {"share-vocab", "text.joint"},
    {"shortlist", "short-list"},
    {"source-lang", "source"},
    {"src", "source"},
    {"src-train", "source"},
    {"target-lang", "target"},
    {"target-modules", "train.adapter.maps"},
    {"tgt", "target"},
    {"train-from", "from"},
    {"train-sets", "source"},
    {"train-steps", "train.max-updates"},
    {"transformer-heads", "arch.encoder.heads"},
    {"update-freq", "data.parts"},
    {"use-vmap", "short-list"},
    {"valid-freq", "valid.every"},
    {"valid-interval", "valid.every"},
    {"valid-metrics", "valid.metric"},
    {"valid-sets", "valid-source"},
    {"vocab-size", "text.vocab-size"},
    {"warmup-steps", "train.schedule.warmup"},
    {"warmup-updates", "train.schedule.warmup"},
    {"weight-decay", "train.optimizer.weight-decay"},
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

bool names_translations(std::string_view name) {
  constexpr std::array kNames{"hyp",    "hypothesis", "hypotheses",  "sys",
                              "system", "output",     "translation", "translations"};
  return std::ranges::find(kNames, name) != kNames.end();
}

}  // namespace heed::config
