#include <algorithm>
#include <exception>
#include <filesystem>
#include <limits>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/files/checksum.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"
#include "heed/data/corpus/corpus_layout.h"
#include "heed/data/corpus/corpus_writer.h"
#include "heed/data/corpus/encode_sides.h"
#include "heed/data/corpus/encoded_corpus.h"

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
  const auto workers = static_cast<size_t>(std::max<int64_t>(1, threads));
  std::vector<std::exception_ptr> errors(workers);
  const auto work = [&](size_t worker) {
    try {
      for (size_t i = worker; i < pairs.size(); i += workers) encode(pairs[i], tokenizers, vectors);
    } catch (...) {
      errors[worker] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (size_t worker = 1; worker < workers; ++worker) others.emplace_back(work, worker);
    work(0);
  }
  for (const auto& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

int64_t unknown_in(const text::Ids& ids) { return std::count(ids.begin(), ids.end(), text::kUnk); }

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

/// `lines`: of each file.
CorpusOrigin origin_of(const CorpusFiles& files, const std::vector<int64_t>& lines, const text::Tokenizers& tokenizers,
                       const CorpusOptions& options) {
  CorpusOrigin origin{.files = {}, .tokenizers = checksum_of(tokenizers), .options = options};
  for (const auto& [side, path] : all_files(files)) {
    origin.files.push_back({.side = std::string(side),
                            .path = path,
                            .size = static_cast<int64_t>(std::filesystem::file_size(path)),
                            .lines = lines.at(origin.files.size()),
                            .sha256 = sha256_of_file(path)});
  }
  return origin;
}

/// Checksums are the last thing compared: they cost a reading of every file.
bool fits(const CorpusOrigin& origin, const CorpusFiles& files, const text::Tokenizers& tokenizers,
          const CorpusOptions& options) {
  if (!(origin.options == options) || origin.tokenizers != checksum_of(tokenizers)) return false;
  const auto now = all_files(files);
  const bool same_sizes =
      std::equal(now.begin(), now.end(), origin.files.begin(), origin.files.end(),
                 [](const SideFile& file, const CorpusFile& before) {
                   return file.side == before.side && std::filesystem::exists(file.path) &&
                          std::filesystem::file_size(file.path) == static_cast<uint64_t>(before.size);
                 });
  const auto same_content = [](const SideFile& file, const CorpusFile& before) {
    return sha256_of_file(file.path) == before.sha256;
  };
  return same_sizes && std::equal(now.begin(), now.end(), origin.files.begin(), same_content);
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

/// The corpus at `path` where it can be used.
std::shared_ptr<const EncodedCorpus> open_fitting(const std::string& path, const CorpusFiles& files,
                                                  const text::Tokenizers& tokenizers, const CorpusOptions& options,
                                                  const std::shared_ptr<const SourceVectors>& vectors) {
  if (!std::filesystem::exists(path)) return nullptr;
  try {
    auto corpus = std::make_shared<const EncodedCorpus>(path, vectors);
    if (fits(corpus->origin(), files, tokenizers, options)) return corpus;
    log_info(fmt::format("{}: made from other text, tokenizers or limits; encoding anew", path));
  } catch (const CheckpointError& error) {
    log_warning(fmt::format("{}; encoding anew", error.what()));
  }
  return nullptr;
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

CorpusSummary build_corpus(const std::string& path, const CorpusFiles& files, const text::Tokenizers& tokenizers,
                           const CorpusOptions& options, int64_t threads, const SourceVectors* vectors) {
  check(files.has_source() == (tokenizers.source != nullptr) && tokenizers.target != nullptr,
        "a corpus needs a tokenizer for each of its sides");
  const CorpusForm form{.has_source = files.has_source(), .target = tokenizers.target->target_kind()};
  PairReader reader(files, options.invalid_text);
  CorpusWriter writer(path);
  CorpusSummary summary;
  std::vector<EncodedPair> pairs(4096);
  size_t count = pairs.size();
  while (count == pairs.size()) {
    for (count = 0; count < pairs.size() && reader.next(pairs[count].text); ++count) {
      pairs[count].line = static_cast<uint64_t>(reader.pairs() - 1);
    }
    const std::span chunk = std::span(pairs).first(count);
    encode_all(chunk, tokenizers, vectors, threads);
    for (const EncodedPair& pair : chunk) {
      if (!pair.error.empty()) throw reader.error_at(static_cast<int64_t>(pair.line), /*source=*/false, pair.error);
      if (admit(pair, form.target, options, summary)) writer.add(pair);
    }
  }
  summary.replaced_lines = reader.replaced_lines();
  if (vectors && vectors->file().size() != reader.pairs()) {
    throw InputError(name_of(files.vectors, files), 0,
                     fmt::format("has {}, but {} has {}", counted(vectors->file().size(), "item"),
                                 name_of(all_files(files)[0].path, files), counted(reader.pairs(), "line")));
  }
  if (summary.kept == 0) {
    throw InputError(
        names_of(files), 0,
        fmt::format("no {} is left: {}", files.has_source() ? "pair" : "line", summary_text(summary, options, form)));
  }
  std::vector<int64_t> lines = reader.lines();
  if (vectors) lines.push_back(vectors->file().size());
  writer.finish(to_json(summary, origin_of(files, lines, tokenizers, options), form));
  return summary;
}

std::shared_ptr<const EncodedCorpus> open_or_build_corpus(const std::string& path, const CorpusFiles& files,
                                                          const text::Tokenizers& tokenizers,
                                                          const CorpusOptions& options, int64_t threads,
                                                          std::shared_ptr<const SourceVectors> vectors) {
  auto corpus = open_fitting(path, files, tokenizers, options, vectors);
  if (corpus == nullptr) {
    build_corpus(path, files, tokenizers, options, threads, vectors.get());
    corpus = std::make_shared<const EncodedCorpus>(path, vectors);
  }
  report(files, corpus->summary(), options, {.has_source = corpus->has_source(), .target = corpus->target_kind()});
  return corpus;
}

}  // namespace heed::data
