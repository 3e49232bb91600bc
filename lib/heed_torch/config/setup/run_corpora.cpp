#include "heed_torch/config/setup/run_corpora.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/data/batches/mixture.h"
#include "heed_torch/config/setup/source_vectors.h"

namespace heed::config {
namespace {

constexpr const char* kEncode = "encode";

/// A text that is read as one keeps its order.
int64_t buckets_of(const RunOptions& options) {
  constexpr int64_t kUsual = 0, kInOrder = 1;
  return std::holds_alternative<data::SentenceContext>(options.data.stream.context) ? kUsual : kInOrder;
}

bool sees(const data::CorpusFiles& files) {
  return std::ranges::all_of(data::all_files(files),
                             [](const data::SideFile& file) { return std::filesystem::exists(file.path); });
}

/// Encodes this rank's share of the text; nothing if it does not see the text.
data::ShardedText encode_share(const CorpusPlace& place, const text::Tokenizers& tokenizers, const RunOptions& options,
                               int64_t threads, distributed::RankGroup& ranks, const data::ExcludedLines& left_out) {
  const bool ours = sees(place.files);
  std::vector<int64_t> seeing, blind;
  const std::vector<std::string> all = ranks.gather(ours ? "sees" : "");
  for (int64_t rank = 0; rank < ranks.size(); ++rank) {
    (all[static_cast<size_t>(rank)].empty() ? blind : seeing).push_back(rank);
  }
  if (ranks.leads() && !blind.empty()) {
    log_warning(fmt::format("ranks {} do not see the training text: the others encode it", fmt::join(blind, ", ")));
  }
  if (!ours && !ranks.leads()) return {};
  const data::EncodingWork work{.threads = threads,
                                .buckets = buckets_of(options),
                                .rank = std::ranges::find(seeing, ranks.rank()) - seeing.begin(),
                                .ranks = std::ssize(seeing)};
  const auto vectors = open_vectors(place.files.vectors, options.arch.vectors);
  return data::encode_shards(place.path, place.files, tokenizers, options.data.corpus, work, vectors.get(), left_out);
}

training::ValidationSet with_text(std::shared_ptr<const data::EncodedCorpus> corpus, const data::CorpusFiles& files,
                                  const data::TextFormat& format) {
  training::ValidationSet validation{.corpus = std::move(corpus), .source = {}, .reference = {}};
  data::PairReader reader(files, format);
  for (data::TextPair pair; reader.next(pair);) {
    if (pair.bad) continue;
    validation.source.push_back(std::move(pair.source));
    validation.reference.push_back(std::move(pair.target));
  }
  return validation;
}

void tell_mixture(const data::EncodedCorpus& corpus, const RunOptions& options) {
  const auto* sentences = std::get_if<data::SentenceContext>(&options.data.stream.context);
  if (!sentences || sentences->mix.empty()) return;
  log_info(data::Mixture(corpus, sentences->mix).description());
}

}  // namespace

std::shared_ptr<const data::EncodedCorpus> open_training_corpus(const CorpusPlace& place,
                                                                const text::Tokenizers& tokenizers,
                                                                const RunOptions& options, int64_t threads,
                                                                distributed::RankGroup& ranks, RunOverlap& overlap) {
  const bool fits =
      data::has_fitting_corpus(place.path, place.files, tokenizers, options.data.corpus, overlap.origin());
  ranks.broadcast(fits ? "" : kEncode);
  if (!fits) {
    const data::ExcludedLines left_out = overlap.left_out();
    ranks.broadcast(left_out.packed());
    const data::ShardedText text = encode_share(place, tokenizers, options, threads, ranks, left_out);
    ranks.gather("");  // waits until all shards exist
    data::finish_corpus(place.path, place.files, text);
  }
  auto corpus =
      data::open_corpus(place.path, place.files, tokenizers, open_vectors(place.files.vectors, options.arch.vectors));
  tell_mixture(*corpus, options);
  return corpus;
}

bool asked_to_encode(distributed::RankGroup& ranks) { return ranks.broadcast("") == kEncode; }

void help_encode(const CorpusPlace& place, const text::Tokenizers& tokenizers, const RunOptions& options,
                 int64_t threads, distributed::RankGroup& ranks) {
  const auto left_out = data::ExcludedLines::unpacked(ranks.broadcast(""));
  encode_share(place, tokenizers, options, threads, ranks, left_out);
  ranks.gather("");
}

training::ValidationSet open_validation_set(const CorpusPlace& place, const text::Tokenizers& tokenizers,
                                            const RunOptions& options, int64_t threads) {
  data::CorpusOptions kept = options.data.corpus;
  kept.filters = {};  // they filter only the training text
  auto corpus = data::open_or_build_corpus(place.path, place.files, tokenizers, kept, {.threads = threads},
                                           open_vectors(place.files.vectors, options.arch.vectors));
  return with_text(std::move(corpus), place.files, options.data.corpus.format);
}

training::ValidationSet opened_validation_set(const CorpusPlace& place, const text::Tokenizers& tokenizers,
                                              const RunOptions& options) {
  return with_text(opened_corpus(place, tokenizers, options), place.files, options.data.corpus.format);
}

std::shared_ptr<const data::EncodedCorpus> opened_corpus(const CorpusPlace& place, const text::Tokenizers& tokenizers,
                                                         const RunOptions& options) {
  return std::make_shared<const data::EncodedCorpus>(
      place.path, open_vectors(place.files.vectors, options.arch.vectors), data::id_ranges(tokenizers));
}

}  // namespace heed::config
