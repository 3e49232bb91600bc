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
#include "heed/data/corpus/encoded_corpus.h"

namespace heed::data {
namespace {

void encode(EncodedPair& pair, const text::Tokenizers& tokenizers) {
  const bool has_source = tokenizers.source != nullptr;
  pair.blank = strip(pair.text.target).empty() || (has_source && strip(pair.text.source).empty());
  if (pair.blank) return;
  pair.target = tokenizers.target->encode(pair.text.target);
  if (has_source) pair.source = tokenizers.source->encode(pair.text.source);
  pair.blank = pair.target.empty() || (has_source && pair.source.empty());
}

void encode_all(std::span<EncodedPair> pairs, const text::Tokenizers& tokenizers, int64_t threads) {
  const auto workers = static_cast<size_t>(std::max<int64_t>(1, threads));
  std::vector<std::exception_ptr> errors(workers);
  const auto work = [&](size_t worker) {
    try {
      for (size_t i = worker; i < pairs.size(); i += workers) encode(pairs[i], tokenizers);
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
bool admit(const EncodedPair& pair, const CorpusOptions& options, CorpusSummary& summary) {
  const auto source = static_cast<int64_t>(pair.source.size());
  const auto target = static_cast<int64_t>(pair.target.size());
  ++summary.read;
  if (pair.blank) {
    ++summary.empty;
    return false;
  }
  constexpr size_t kMaximumBytes = std::numeric_limits<uint32_t>::max();
  if (source > options.max_source_length || target > options.max_target_length ||
      std::max(pair.text.source.size(), pair.text.target.size()) > kMaximumBytes) {
    ++summary.too_long;
    return false;
  }
  ++summary.kept;
  summary.source_tokens += source > 0 ? source + 1 : 0;
  summary.target_tokens += target + 1;
  summary.source_unknown += unknown_in(pair.source);
  summary.target_unknown += unknown_in(pair.target);
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

void report(const CorpusFiles& files, const CorpusSummary& summary, const CorpusOptions& options) {
  const std::string message =
      fmt::format("{}: {}", names_of(files), summary_text(summary, options, files.has_source()));
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
                                                  const text::Tokenizers& tokenizers, const CorpusOptions& options) {
  if (!std::filesystem::exists(path)) return nullptr;
  try {
    auto corpus = std::make_shared<const EncodedCorpus>(path);
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

}  // namespace

double CorpusSummary::source_unknown_share() const { return share_of(source_unknown, source_tokens, kept); }
double CorpusSummary::target_unknown_share() const { return share_of(target_unknown, target_tokens, kept); }

std::string summary_text(const CorpusSummary& summary, const CorpusOptions& options, bool has_source) {
  const char* unit = has_source ? "pairs" : "lines";
  std::string text = fmt::format("{} {}, {} of them kept", summary.read, unit, summary.kept);
  std::vector<std::string> left_out;
  if (summary.empty > 0) {
    left_out.push_back(fmt::format("{} {}", summary.empty, has_source ? "with an empty side" : "empty"));
  }
  if (summary.too_long > 0) {
    const std::string source = has_source ? fmt::format("{} source or ", options.max_source_length) : "";
    left_out.push_back(
        fmt::format("{} with more than {}{} target tokens", summary.too_long, source, options.max_target_length));
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
                           const CorpusOptions& options, int64_t threads) {
  check(files.has_source() == (tokenizers.source != nullptr) && tokenizers.target != nullptr,
        "a corpus needs a tokenizer for each of its sides");
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
    encode_all(chunk, tokenizers, threads);
    for (const EncodedPair& pair : chunk) {
      if (admit(pair, options, summary)) writer.add(pair);
    }
  }
  summary.replaced_lines = reader.replaced_lines();
  if (summary.kept == 0) {
    throw InputError(names_of(files), 0,
                     fmt::format("no {} is left: {}", files.has_source() ? "pair" : "line",
                                 summary_text(summary, options, files.has_source())));
  }
  writer.finish(to_json(summary, origin_of(files, reader.lines(), tokenizers, options), files.has_source()));
  return summary;
}

std::shared_ptr<const EncodedCorpus> open_or_build_corpus(const std::string& path, const CorpusFiles& files,
                                                          const text::Tokenizers& tokenizers,
                                                          const CorpusOptions& options, int64_t threads) {
  auto corpus = open_fitting(path, files, tokenizers, options);
  if (corpus == nullptr) {
    build_corpus(path, files, tokenizers, options, threads);
    corpus = std::make_shared<const EncodedCorpus>(path);
  }
  report(files, corpus->summary(), options);
  return corpus;
}

}  // namespace heed::data
