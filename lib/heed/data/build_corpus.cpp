#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/files/checksum.h"
#include "heed/core/log.h"
#include "heed/core/parallel.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"
#include "heed/data/corpus/corpus_layout.h"
#include "heed/data/corpus/corpus_shard.h"
#include "heed/data/corpus/encode_sides.h"
#include "heed/data/corpus/encoded_corpus.h"
#include "heed/data/corpus/encoded_pair.h"
#include "heed/data/corpus/index_file.h"
#include "heed/data/corpus/shard_text.h"
#include "heed/data/corpus/shard_writer.h"

namespace heed::data {
namespace {

void encode(EncodedPair& pair, const text::Tokenizers& tokenizers, const SourceVectors* vectors) {
  const bool has_source = tokenizers.source != nullptr;
  pair.error.clear();
  pair.blank = strip(pair.text.target).empty() || (has_source && strip(pair.text.source).empty());
  if (pair.blank) return;
  const auto item = static_cast<int64_t>(pair.line);
  if (vectors && item < vectors->file().size()) {
    pair.vectors = vectors->length(item);
    read_block(vectors->file(), std::span(&item, 1));  // for its error
  }
  try {
    auto [source, target] = encode_sides(pair.text, tokenizers);
    pair.source = std::move(source);
    pair.target = std::move(target);
  } catch (const Error& error) {
    pair.error = error.what();
  }
  pair.blank = pair.error.empty() && (pair.target.empty() || (has_source && pair.source.empty()));
}

void encode_all(std::span<EncodedPair> pairs, const text::Tokenizers& tokenizers, const SourceVectors* vectors,
                int64_t threads) {
  constexpr int64_t kChunk = 64;
  parallel_chunks(threads, std::ssize(pairs), kChunk, [&](int64_t, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) encode(pairs[static_cast<size_t>(i)], tokenizers, vectors);
  });
}

int64_t unknown_in(const text::Ids& ids) { return std::count(ids.begin(), ids.end(), text::kUnk); }

/// Where a pair is counted that a filter leaves out; null: it is kept.
int64_t* filtered(const EncodedPair& pair, bool has_source, const PairFilters& filters, CorpusSummary& summary) {
  const auto shorter = static_cast<double>(std::min(pair.source.size(), pair.target.size()));
  const auto longer = static_cast<double>(std::max(pair.source.size(), pair.target.size()));
  if (has_source && filters.max_length_ratio && longer > *filters.max_length_ratio * shorter) {
    return &summary.unlike_lengths;
  }
  const bool leaves_identical = filters.identical_sides == IdenticalSides::LeaveOut;
  if (has_source && leaves_identical && strip(pair.text.source) == strip(pair.text.target)) return &summary.identical;
  const auto is_other = [](const std::string& text, const std::vector<std::string>& scripts) {
    return !scripts.empty() && !is_in_scripts(text, scripts);
  };
  const bool other_script =
      is_other(pair.text.source, filters.source_script) || is_other(pair.text.target, filters.target_script);
  return other_script ? &summary.other_script : nullptr;
}

/// Counts the pair; whether it is kept.
bool admit(const EncodedPair& pair, text::TargetKind kind, const CorpusOptions& options, CorpusSummary& summary) {
  const int64_t source = std::ssize(pair.source) + pair.vectors;
  const int64_t target = std::ssize(pair.target);
  const bool is_text = kind == text::TargetKind::Text;
  ++summary.read;
  if (pair.blank) {
    ++summary.empty;
    return false;
  }
  constexpr size_t kMaximumBytes = std::numeric_limits<uint32_t>::max();
  if (source > options.max_source_length || (is_text && target > options.max_target_length) ||
      std::max(pair.text.source.size(), pair.text.target.size()) > kMaximumBytes) {
    ++summary.too_long;
    return false;
  }
  if (pair.text.weight == 0) {
    ++summary.weightless;
    return false;
  }
  if (int64_t* count = filtered(pair, !pair.source.empty(), options.filters, summary)) {
    ++*count;
    return false;
  }
  ++summary.kept;
  summary.source_tokens += source + (pair.source.empty() ? 0 : 1);
  summary.target_tokens += is_text ? target + 1 : target - std::ranges::count(pair.target, kNoLabel);
  summary.source_unknown += unknown_in(pair.source);
  if (is_text) summary.target_unknown += unknown_in(pair.target);
  return true;
}

std::string checksum_of(const text::Tokenizers& tokenizers) {
  std::string sides;
  for (const auto& tokenizer : {tokenizers.source, tokenizers.target}) {
    sides += tokenizer == nullptr ? "none "
                                  : fmt::format("{} {} ", tokenizer->file_ending(), sha256(tokenizer->serialized()));
  }
  return sha256(sides);
}

std::string names_of(const CorpusFiles& files) {
  std::vector<std::string> names;
  for (const auto& file : all_files(files)) names.push_back(name_of(file.path, files));
  return fmt::format("{}", fmt::join(names, ", "));
}

void report(const CorpusFiles& files, const CorpusSummary& summary, const CorpusOptions& options,
            const CorpusForm& form) {
  const std::string message = fmt::format("{}: {}", names_of(files), summary_text(summary, options, form));
  constexpr double kMuchUnknown = 0.1;
  const double unknown = std::max(summary.source_unknown_share(), summary.target_unknown_share());
  if (summary.kept < summary.read || summary.replaced_lines > 0 || unknown > kMuchUnknown) {
    log_warning(message);
  } else {
    log_info(message);
  }
}

double share_of(int64_t unknown, int64_t tokens, int64_t pairs) {
  return unknown > 0 ? static_cast<double>(unknown) / static_cast<double>(tokens - pairs) : 0;
}

/// "256 source or 256 target".
std::string limits_text(const CorpusOptions& options, const CorpusForm& form) {
  const std::string source = fmt::format("{} source", options.max_source_length);
  if (form.target != text::TargetKind::Text) return source;
  return fmt::format("{}{} target", form.has_source ? source + " or " : "", options.max_target_length);
}

/// Counts the shard's pairs among those kept of each file.
void count_kept(const CorpusShard& shard, std::vector<CorpusFile>& files) {
  const int64_t begin = shard.origin().first_line, end = begin + shard.origin().lines;
  int64_t first = 0;  // of the file
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

/// Encodes shard after shard of a text; while one is encoded the next one is read.
class Encoding {
 public:
  Encoding(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
           const CorpusOptions& options, const EncodingWork& work, const SourceVectors* vectors)
      : path_(path),
        files_(files),
        tokenizers_(tokenizers),
        work_(work),
        vectors_(vectors),
        reader_(files, options.invalid_text),
        shared_(shared_origin(files, tokenizers, options, work)) {}

  /// Writes the shards that are this rank's and not there.
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
    origin.form = {.has_source = files.has_source(),
                   .target = tokenizers.target->target_kind(),
                   .has_weights = files.has_weights()};
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
    encode_all(shard.pairs, tokenizers_, vectors_, work_.threads);
    CorpusSummary summary{.replaced_lines = shard.replaced_lines};
    std::vector<const EncodedPair*> kept;
    for (const EncodedPair& pair : shard.pairs) {
      if (!pair.error.empty()) {
        next.wait();  // the reader is asked where the line is
        throw reader_.error_at(static_cast<int64_t>(pair.line), /*source=*/false, pair.error);
      }
      if (admit(pair, origin.form.target, origin.options, summary)) kept.push_back(&pair);
    }
    write_shard(path, kept, origin, summary, work_.threads);
    tell(shard.first_line + origin.lines);
  }

  /// From an encoding that was broken off.
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

  /// Every quarter of a minute how far it is.
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
  PairReader reader_;
  ShardOrigin shared_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now(), told_ = begun_;
};

}  // namespace

double CorpusSummary::source_unknown_share() const { return share_of(source_unknown, source_tokens, kept); }
double CorpusSummary::target_unknown_share() const { return share_of(target_unknown, target_tokens, kept); }

std::string summary_text(const CorpusSummary& summary, const CorpusOptions& options, const CorpusForm& form) {
  const bool has_source = form.has_source;
  const char* unit = has_source ? "pairs" : "lines";
  std::string text = fmt::format("{} {}, {} of them kept", summary.read, unit, summary.kept);
  std::vector<std::string> left_out;
  if (summary.empty > 0) {
    left_out.push_back(fmt::format("{} {}", summary.empty, has_source ? "with an empty side" : "empty"));
  }
  if (summary.too_long > 0) {
    left_out.push_back(fmt::format("{} with more than {} tokens", summary.too_long, limits_text(options, form)));
  }
  const PairFilters& filters = options.filters;
  if (summary.unlike_lengths > 0) {
    left_out.push_back(fmt::format("{} with lengths that differ more than {} times", summary.unlike_lengths,
                                   filters.max_length_ratio.value_or(0)));
  }
  if (summary.identical > 0) left_out.push_back(fmt::format("{} with identical sides", summary.identical));
  if (summary.weightless > 0) left_out.push_back(fmt::format("{} with the weight 0", summary.weightless));
  if (summary.other_script > 0) left_out.push_back(fmt::format("{} in other scripts", summary.other_script));
  if (!left_out.empty()) text += fmt::format("; left out: {}", fmt::join(left_out, ", "));
  if (summary.source_unknown + summary.target_unknown > 0) {
    const auto share = [](double part) { return fmt::format("{:.1f}%", 100 * part); };
    text += fmt::format("; not in the vocabulary: {} of the target tokens", share(summary.target_unknown_share()));
    if (summary.source_tokens > 0) text += fmt::format(", {} of the source's", share(summary.source_unknown_share()));
  }
  if (summary.replaced_lines > 0)
    text += fmt::format("; bytes that are not UTF-8 replaced in {}", counted(summary.replaced_lines, "line"));
  return text;
}

ShardedText encode_shards(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
                          const CorpusOptions& options, const EncodingWork& work, const SourceVectors* vectors) {
  check(files.has_source() == (tokenizers.source != nullptr) && tokenizers.target != nullptr,
        "a corpus needs a tokenizer for each of its sides");
  std::filesystem::remove(path);  // shards that are written anew are not of the corpus that was there
  return Encoding(path, files, tokenizers, options, work, vectors).run();
}

CorpusSummary finish_corpus(const std::string& path, const CorpusFiles& files, const ShardedText& text) {
  CorpusIndex index;
  index.shards = text.shards;
  std::vector<CorpusFile> all = identities(files, text.lines);
  for (int64_t i = 0; i < text.shards; ++i) {
    const CorpusShard shard(shard_path(path, i));
    const ShardOrigin& origin = shard.origin();
    index.origin = {.files = {}, .tokenizers = origin.tokenizers, .options = origin.options};
    index.form = origin.form;
    index.storage = origin.storage;
    index.summary += shard.summary();
    count_kept(shard, all);
  }
  index.origin.files = std::move(all);
  remove_shards(path, text.shards);
  if (index.summary.kept == 0) {
    remove_shards(path, 0);
    throw InputError(names_of(files), 0,
                     fmt::format("no {} is left: {}", files.has_source() ? "pair" : "line",
                                 summary_text(index.summary, index.origin.options, index.form)));
  }
  write_index(path, index);
  return index.summary;
}

CorpusSummary build_corpus(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
                           const CorpusOptions& options, const EncodingWork& work, const SourceVectors* vectors) {
  check(work.ranks == 1, "ranks encode together by encode_shards");
  return finish_corpus(path, files, encode_shards(path, files, tokenizers, options, work, vectors));
}

bool has_fitting_corpus(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
                        const CorpusOptions& options) {
  if (!std::filesystem::exists(path)) return false;
  try {
    const EncodedCorpus corpus(path);
    const CorpusOrigin& origin = corpus.origin();
    if (origin.options == options && origin.tokenizers == checksum_of(tokenizers) &&
        corpus.has_weights() == files.has_weights() && same_content(origin.files, files)) {
      return true;
    }
    log_info(fmt::format("{}: made from other text, tokenizers or limits; encoding anew", path));
  } catch (const CheckpointError& error) {
    log_warning(fmt::format("{}; encoding anew", error.what()));
  } catch (const FileError& error) {
    log_warning(fmt::format("{}; encoding anew", error.what()));
  }
  return false;
}

std::shared_ptr<const EncodedCorpus> open_corpus(const std::string& path, const CorpusFiles& files,
                                                 std::shared_ptr<const SourceVectors> vectors) {
  auto corpus = std::make_shared<const EncodedCorpus>(path, std::move(vectors));
  report(files, corpus->summary(), corpus->origin().options,
         {.has_source = corpus->has_source(), .target = corpus->target_kind()});
  return corpus;
}

std::shared_ptr<const EncodedCorpus> open_or_build_corpus(const std::string& path, const CorpusFiles& files,
                                                          const text::Tokenizers& tokenizers,
                                                          const CorpusOptions& options, const EncodingWork& work,
                                                          std::shared_ptr<const SourceVectors> vectors) {
  if (!has_fitting_corpus(path, files, tokenizers, options)) {
    build_corpus(path, files, tokenizers, options, work, vectors.get());
  }
  return open_corpus(path, files, std::move(vectors));
}

}  // namespace heed::data
