#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/checksum.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/data/encoded/admission.h"
#include "heed/data/encoded/corpus_layout.h"
#include "heed/data/encoded/corpus_shard.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "heed/data/encoded/encoded_pair.h"
#include "heed/data/encoded/index_file.h"
#include "heed/data/encoded/shard_writer.h"
#include "heed/text/placeholders.h"

namespace heed::data {
namespace {

std::string checksum_of(const text::Tokenizers& tokenizers) {
  std::string sides;
  for (const auto& tokenizer : {tokenizers.source, tokenizers.target}) {
    sides += tokenizer == nullptr ? "none "
                                  : fmt::format("{} {} ", tokenizer->file_ending(), sha256(tokenizer->serialized()));
  }
  if (tokenizers.placeholders) sides += sha256(tokenizers.placeholders->serialized());
  return sha256(sides);
}

/// Adds the shard's pairs to the number of pairs kept of each file.
void count_kept(const CorpusShard& shard, std::vector<CorpusFile>& files) {
  const int64_t begin = shard.origin().first_line, end = begin + shard.origin().lines;
  int64_t first = 0;  // first line of the file
  for (CorpusFile& file : files) {
    if (!holds_targets(file)) continue;
    const int64_t last = first + file.lines;
    if (first <= begin && end <= last) {
      file.kept += shard.summary().kept;
    } else if (first < end && begin < last) {
      file.kept += shard.count_lines(first, last);
    }
    first = last;
  }
}

/// Encodes the shards of a text one after the other. While one is encoded, the next one is read.
class Encoding {
 public:
  Encoding(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
           const CorpusOptions& options, const EncodingWork& work, const SourceVectors* vectors,
           const ExcludedLines& left_out)
      : path_(path),
        files_(files),
        tokenizers_(tokenizers),
        work_(work),
        vectors_(vectors),
        left_out_(left_out),
        reader_(files, options.format),
        shared_(shared_origin(files, tokenizers, options, work)) {
    shared_.left_out = left_out.origin;
  }

  /// Writes those shards that belong to this rank and do not exist yet.
  ShardedText run() {
    ShardedText found;
    ShardText shard = read_shard(reader_);
    while (!shard.pairs.empty() || found.shards == 0) {
      auto next = std::async(std::launch::async, [this] { return read_shard(reader_); });
      if (found.shards % work_.ranks == work_.rank) encode_shard(shard, found.shards, next);
      ++found.shards;
      shard = next.get();
    }
    found.lines = reader_.lines();
    require_all_vectors();
    if (vectors_) found.lines.push_back(vectors_->file().size());
    return found;
  }

 private:
  static ShardOrigin shared_origin(const CorpusFiles& files, const text::Tokenizers& tokenizers,
                                   const CorpusOptions& options, const EncodingWork& work) {
    ShardOrigin origin;
    origin.tokenizers = checksum_of(tokenizers);
    origin.options = options;
    origin.form = form_of(tokenizers, files);
    origin.storage = {.buckets = work.buckets > 0 ? work.buckets : usual_buckets(files),
                      .wide_ids = needs_wide_ids(tokenizers)};
    return origin;
  }

  void encode_shard(ShardText& shard, int64_t number, std::future<ShardText>& next) {
    ShardOrigin origin = shared_;
    origin.first_line = shard.first_line;
    origin.lines = std::ssize(shard.pairs);
    origin.text = shard.sha256;
    const std::string path = shard_path(path_, number);
    if (is_there(path, origin)) return;
    encode_pairs(shard.pairs, tokenizers_, vectors_, work_.threads);
    CorpusSummary summary{.replaced_lines = shard.replaced_lines};
    std::vector<const EncodedPair*> kept;
    for (EncodedPair& pair : shard.pairs) {
      pair.duplicate = left_out_.duplicates.contains(static_cast<int64_t>(pair.line));
      pair.leaking = left_out_.leaking.contains(static_cast<int64_t>(pair.line));
      if (!pair.error.empty()) {
        next.wait();  // error_at() uses the reader
        throw reader_.error_at(static_cast<int64_t>(pair.line), /*source=*/false, pair.error);
      }
      if (admit(pair, origin.form, origin.options, summary)) kept.push_back(&pair);
    }
    write_shard(path, kept, origin, summary, work_.threads);
    tell(shard.first_line + origin.lines);
  }

  /// Whether an interrupted encoding has written this shard.
  static bool is_there(const std::string& path, const ShardOrigin& origin) {
    if (!std::filesystem::exists(path)) return false;
    try {
      return CorpusShard(path).origin() == origin;
    } catch (const CheckpointError&) {
      return false;
    }
  }

  void require_all_vectors() const {
    if (!vectors_ || vectors_->file().size() == reader_.pairs()) return;
    throw InputError(name_of(files_.vectors, files_), 0,
                     fmt::format("has {}, but {} has {}", counted(vectors_->file().size(), "item"),
                                 name_of(all_files(files_)[0].path, files_), counted(reader_.pairs(), "line")));
  }

  /// Logs the progress every 15 seconds.
  void tell(int64_t lines) {
    constexpr std::chrono::seconds kPause(15);
    const auto now = std::chrono::steady_clock::now();
    if (now - told_ < kPause) return;
    told_ = now;
    const double seconds = std::chrono::duration<double>(now - begun_).count();
    log_info(fmt::format("{}: encoded {} lines, {:.0f} a second", names_of(files_), lines,
                         static_cast<double>(lines) / seconds));
  }

  const std::string& path_;
  const CorpusFiles& files_;
  const text::Tokenizers& tokenizers_;
  EncodingWork work_;
  const SourceVectors* vectors_;
  const ExcludedLines& left_out_;
  PairReader reader_;
  ShardOrigin shared_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now(), told_ = begun_;
};

}  // namespace

ShardedText encode_shards(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
                          const CorpusOptions& options, const EncodingWork& work, const SourceVectors* vectors,
                          const ExcludedLines& left_out) {
  check(files.has_source() == (tokenizers.source != nullptr) && tokenizers.target != nullptr,
        "a corpus needs a tokenizer for each of its sides");
  std::filesystem::remove(path);  // the new shards do not belong to the old index
  return Encoding(path, files, tokenizers, options, work, vectors, left_out).run();
}

CorpusSummary finish_corpus(const std::string& path, const CorpusFiles& files, const ShardedText& text) {
  CorpusIndex index;
  index.shards = text.shards;
  std::vector<CorpusFile> all = identities(files, text.lines);
  for (int64_t i = 0; i < text.shards; ++i) {
    const CorpusShard shard(shard_path(path, i));
    const ShardOrigin& origin = shard.origin();
    index.origin = {
        .files = {}, .tokenizers = origin.tokenizers, .options = origin.options, .left_out = origin.left_out};
    index.form = origin.form;
    index.storage = origin.storage;
    index.summary += shard.summary();
    count_kept(shard, all);
  }
  index.origin.files = std::move(all);
  remove_shards(path, text.shards);
  if (index.summary.kept == 0) {
    remove_shards(path, 0);
    throw nothing_left(files, index.summary, index.origin.options, index.form);
  }
  write_index(path, index);
  return index.summary;
}

CorpusSummary build_corpus(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
                           const CorpusOptions& options, const EncodingWork& work, const SourceVectors* vectors,
                           const ExcludedLines& left_out) {
  check(work.ranks == 1, "ranks encode together by encode_shards");
  return finish_corpus(path, files, encode_shards(path, files, tokenizers, options, work, vectors, left_out));
}

bool has_fitting_corpus(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
                        const CorpusOptions& options, const std::string& left_out) {
  if (!std::filesystem::exists(path)) return false;
  try {
    const EncodedCorpus corpus(path);
    const CorpusOrigin& origin = corpus.origin();
    if (origin.options == options && origin.left_out == left_out && origin.tokenizers == checksum_of(tokenizers) &&
        corpus.has_weights() == files.has_weights() && same_content(origin.files, files)) {
      return true;
    }
    log_info(fmt::format("{}: made from other text, tokenizers or limits; encoding again", path));
  } catch (const CheckpointError& error) {
    log_warning(fmt::format("{}; encoding again", error.what()));
  } catch (const FileError& error) {
    log_warning(fmt::format("{}; encoding again", error.what()));
  }
  return false;
}

std::shared_ptr<const EncodedCorpus> open_corpus(const std::string& path, const CorpusFiles& files,
                                                 const text::Tokenizers& tokenizers,
                                                 std::shared_ptr<const SourceVectors> vectors) {
  auto corpus = std::make_shared<const EncodedCorpus>(path, std::move(vectors), id_ranges(tokenizers));
  log_summary(files, corpus->summary(), corpus->origin().options, corpus->form());
  return corpus;
}

std::shared_ptr<const EncodedCorpus> open_or_build_corpus(const std::string& path, const CorpusFiles& files,
                                                          const text::Tokenizers& tokenizers,
                                                          const CorpusOptions& options, const EncodingWork& work,
                                                          std::shared_ptr<const SourceVectors> vectors) {
  if (!has_fitting_corpus(path, files, tokenizers, options)) {
    build_corpus(path, files, tokenizers, options, work, vectors.get());
  }
  return open_corpus(path, files, tokenizers, std::move(vectors));
}

}  // namespace heed::data
