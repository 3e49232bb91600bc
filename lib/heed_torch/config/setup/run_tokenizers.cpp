#include "heed_torch/config/setup/run_tokenizers.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"
#include "heed/text/placeholders.h"
#include "heed/text/targets/labels.h"
#include "heed/text/targets/numbers.h"
#include "heed/text/tokenizers/tokenizer_files.h"

namespace heed::config {
namespace {

/// How much of a stream tokenizers are learned from.
struct ReadAhead {
  int64_t megabytes = 0;
  bool both = false;  ///< whether the limit is for both sides together
};

ReadAhead read_ahead_of(const TextOptions& options) {
  const text::SubwordOptions usual;
  ReadAhead ahead{.megabytes = usual.sample_megabytes.value(), .both = true};
  const auto* learned = std::get_if<LearnedTokenizers>(&options.tokenizers);
  if (learned == nullptr) return ahead;
  ahead.both = learned->options.joint;
  const auto take = [&](const auto& type) {
    if constexpr (requires { type.subwords; }) {
      ahead.megabytes = type.subwords.sample_megabytes.value_or(ahead.megabytes);
    }
  };
  std::visit(take, learned->options.type);
  return ahead;
}

void read_ahead(data::PairStream& stream, const ReadAhead& ahead) {
  constexpr int64_t kMegabyte = 1'000'000;
  stream.read_ahead(ahead.megabytes * kMegabyte, [&](const data::TextPair& pair) {
    const int64_t source = std::ssize(pair.source), target = std::ssize(pair.target);
    return ahead.both ? source + target : std::max(source, target);
  });
  log_info(fmt::format("{}: read the first {} to learn from", data::names_of(stream.files()),
                       counted(stream.ahead(), "line")));
}

/// What tokenizers are made for.
struct TokenizerTask {
  Task task;
  std::string base;  ///< model directory whose tokenizers are used; empty: none
};

using Placeholders = std::shared_ptr<const text::Placeholders>;

/// One side of a pair, as the tokenizers read it.
std::string side_of(data::TextPair pair, std::string data::TextPair::* side, const Placeholders& placeholders) {
  if (placeholders) placeholders->mask_pair(pair.source, pair.target);
  return std::move(pair.*side);
}

/// The lines of one side.
text::LineSource lines_of(const data::CorpusFiles& files, const data::TextFormat& format,
                          std::string data::TextPair::* side, const Placeholders& placeholders) {
  auto reader = std::make_shared<data::PairReader>(files, format);
  return [reader, side, placeholders](std::string& line) {
    data::TextPair pair;
    if (!reader->next(pair)) return false;
    line = side_of(std::move(pair), side, placeholders);
    return true;
  };
}

/// An error about the target of a line. The text is read again up to that line.
InputError error_at(const data::CorpusFiles& files, const data::TextFormat& format, int64_t line,
                    const std::string& message) {
  data::PairReader reader(files, format);
  data::TextPair pair;
  while (reader.pairs() <= line && reader.next(pair)) {}
  return reader.error_at(line, /*source=*/false, message);
}

struct TextSize {
  int64_t lines = 0;
  int64_t bytes = 0;
};

TextSize size_of(const text::LineSource& lines) {
  TextSize size;
  for (std::string line; lines(line); ++size.lines) size.bytes += std::ssize(line);
  return size;
}

/// Whether the text of these files, which may be compressed, may be larger than this.
bool may_exceed(const data::CorpusFiles& files, int64_t megabytes) {
  constexpr uintmax_t kMegabyte = 1'000'000, kCompressed = 20;
  uintmax_t bytes = 0;
  for (const data::SideFile& file : data::all_files(files)) {
    if (file.side != "vectors") bytes += std::filesystem::file_size(file.path);
  }
  return bytes * kCompressed > static_cast<uintmax_t>(megabytes) * kMegabyte;
}

/// The number of lines that have this much text.
int64_t lines_of(const TextSize& size, int64_t megabytes) {
  const double share = 1e6 * static_cast<double>(megabytes) / static_cast<double>(std::max<int64_t>(1, size.bytes));
  return static_cast<int64_t>(static_cast<double>(size.lines) * std::min(1.0, share));
}

/// Lowers sample_lines so that the text to learn from stays within sample_megabytes. sides: those that the options
/// learn from.
void keep_limit(text::SubwordOptions& options, bool joint, const TokenizerText& from,
                const std::vector<text::LineSource>& sides) {
  if (!options.sample_megabytes || !from.may_exceed(*options.sample_megabytes)) return;
  TextSize both;
  int64_t lines = std::numeric_limits<int64_t>::max();
  for (const text::LineSource& side : sides) {
    const TextSize size = size_of(side);
    both.lines += size.lines;
    both.bytes += size.bytes;
    lines = std::min(lines, lines_of(size, *options.sample_megabytes));
  }
  if (joint) lines = lines_of(both, *options.sample_megabytes);
  if (lines >= options.sample_lines.value_or(both.lines) || lines >= both.lines) return;
  options.sample_lines = lines;
  log_info(fmt::format("{} lines have {} MB of text: text.sample-megabytes", lines, *options.sample_megabytes));
}

/// The options with the limit for this text.
text::TokenizerOptions with_limit(text::TokenizerOptions options, const TokenizerText& from,
                                  const std::function<std::vector<text::LineSource>()>& sides) {
  const auto keep = [&](auto& type) {
    if constexpr (requires { type.subwords; }) keep_limit(type.subwords, options.joint, from, sides());
  };
  std::visit(keep, options.type);
  return options;
}

/// Gives the only text, which is a source, the source's normalizer.
void normalize_as_source(text::TokenizerOptions& options) {
  const auto change = [](auto& type) {
    if constexpr (requires { type.subwords; }) type.subwords.target_normalizer = type.subwords.of_source();
  };
  std::visit(change, options.type);
}

/// The target's tokenizer if the target is not text: learned, or that of the model in `base` if one is named.
std::shared_ptr<const text::Tokenizer> target_without_text(const TokenizerTask& task, const TokenizerText& from) {
  if (!task.base.empty()) return text::load_tokenizers(task.base).target;
  const text::LineSource lines = from.lines(&data::TextPair::target);
  try {
    if (task.task == Task::Regression) return text::learn_numbers(lines);
    const bool of_words = task.task == Task::Labelling;
    return text::learn_labels(of_words ? text::LabelUnit::Word : text::LabelUnit::Line, lines);
  } catch (const InputError&) {
    throw;
  } catch (const text::LabelError& error) {
    throw from.error_at(error.line(), error.what());
  } catch (const Error& error) {
    throw InputError(from.name, 0, error.what());
  }
}

text::Tokenizers make_tokenizers(const LearnedTokenizers& learned, const TokenizerText& from,
                                 const TokenizerTask& task) {
  if (!writes_text(task.task)) {
    auto target = target_without_text(task, from);
    if (!from.has_source) return {.source = nullptr, .target = std::move(target)};
    log_info("learning the tokenizer");
    const auto source = [&] { return from.lines(&data::TextPair::source); };
    auto options = with_limit(learned.options, from, [&] { return std::vector{source()}; });
    normalize_as_source(options);
    return {.source = text::learn_tokenizers(options, {}, source()).target, .target = std::move(target)};
  }
  log_info("learning the tokenizers");
  const auto options = with_limit(learned.options, from, [&] {
    std::vector<text::LineSource> sides{from.lines(&data::TextPair::target)};
    if (from.has_source) sides.push_back(from.lines(&data::TextPair::source));
    return sides;
  });
  return text::learn_tokenizers(options, from.has_source ? from.lines(&data::TextPair::source) : text::LineSource(),
                                from.lines(&data::TextPair::target));
}

text::Tokenizers make_tokenizers(const ExistingTokenizers& given, const TokenizerText& from,
                                 const TokenizerTask& task) {
  if (!writes_text(task.task) && !from.has_source) {
    return {.source = nullptr, .target = target_without_text(task, from)};
  }
  const auto first = text::load_tokenizer(from.has_source ? given.source : given.target);
  if (!writes_text(task.task)) return {.source = first, .target = target_without_text(task, from)};
  return {.source = from.has_source ? first : nullptr,
          .target = given.target.empty() ? first : text::load_tokenizer(given.target)};
}

text::Tokenizers with_sampling(const text::Tokenizers& tokenizers, const LearnedTokenizers& learned) {
  return text::with_sampling(tokenizers, learned.options);
}
text::Tokenizers with_sampling(const text::Tokenizers& tokenizers, const ExistingTokenizers& given) {
  return text::with_sampling(tokenizers, given.sampling, given.dropout);
}

/// Makes the tokenizers keep the placeholders whole.
void keep_placeholders(text::TokenizerOptions& options) {
  const auto add = [&](std::vector<std::string>& texts) {
    for (const std::string_view symbol : text::Placeholders::kSymbols) texts.emplace_back(symbol);
  };
  const auto keep = [&](auto& type) {
    if constexpr (requires { type.subwords; }) add(type.subwords.user_symbols);
    if constexpr (requires { type.glossaries; }) add(type.glossaries);
  };
  std::visit(keep, options.type);
}

/// Whether the vocabulary of learned tokenizers has only what is in the text.
bool has_only_text(const text::TokenizerOptions& options) {
  return std::visit([](const auto& type) { return !requires { type.subwords; }; }, options.type);
}

/// Text whose vocabulary has every placeholder: with and without a word next to it, as often as any option asks for.
TokenizerText with_placeholders(TokenizerText text) {
  text.lines = [lines = std::move(text.lines)](std::string data::TextPair::* side) {
    constexpr int64_t kTimes = 100;
    const auto repeat = [left = kTimes](std::string& line) mutable {
      if (left-- == 0) return false;
      line.clear();
      for (const std::string_view symbol : text::Placeholders::kSymbols)
        line.append(symbol).append(" .").append(symbol).append(". ");
      return true;
    };
    return text::concatenated(lines(side), repeat);
  };
  return text;
}

/// Throws ConfigError unless each placeholder is one entry of the tokenizer, also next to other characters.
void require_whole_placeholders(const text::Tokenizer& tokenizer) {
  for (const std::string_view symbol : text::Placeholders::kSymbols) {
    const text::Ids ids = tokenizer.encode(fmt::format("x{}.", symbol));
    const auto is_symbol = [&](int32_t id) { return strip(tokenizer.decode(std::array{id})).starts_with(symbol); };
    if (std::ranges::count_if(ids, is_symbol) == 1) continue;
    throw ConfigError(
        "text.protect",
        fmt::format("needs tokenizers that have the placeholders {} as entries: learn them with this option "
                    "and `text.type` = unigram, sentencepiece-bpe, bpe or characters",
                    fmt::join(text::Placeholders::kSymbols, " ")));
  }
}

/// The tokenizer files that the manifest lists.
std::map<std::string, checkpoint::FileRecord> tokenizer_files(const checkpoint::RunDirectory& directory) {
  auto files = directory.manifest().files;
  std::erase_if(
      files, [](const auto& file) { return !file.first.starts_with("source.") && !file.first.starts_with("target."); });
  return files;
}

/// Whether an id means the same on both sides: two models may share a table of pieces.
bool have_same_pieces(const text::Tokenizer& source, const text::Tokenizer& target) {
  if (source.size() != target.size()) return false;
  for (int32_t id = 0; id < source.size(); ++id) {
    if (source.piece(id) != target.piece(id)) return false;
  }
  return true;
}

void check_tying(const text::Tokenizers& tokenizers, const models::ArchitectureOptions& arch) {
  if (arch.tied_embeddings != models::TiedEmbeddings::All || !tokenizers.source) return;
  if (have_same_pieces(*tokenizers.source, *tokenizers.target)) return;
  throw ConfigError(
      "arch.tied-embeddings",
      "must be `decoder` or `none` with two tokenizers, as an id means something else on either side, but is "
      "`all`");
}

bool is_same(const text::Tokenizer* made, const text::Tokenizer* read) {
  if (made == nullptr || read == nullptr) return made == read;
  return made->file_ending() == read->file_ending() && made->serialized() == read->serialized();
}

/// Fails now rather than at the end of a training if translation could not open the tokenizers.
void require_read_back(const text::Tokenizers& made, const std::string& directory) {
  const text::Tokenizers read = text::load_tokenizers(directory);
  if (is_same(made.source.get(), read.source.get()) && is_same(made.target.get(), read.target.get())) return;
  throw Error(fmt::format("{}: the tokenizers that were written there differ when they are read again", directory));
}

}  // namespace

std::shared_ptr<const text::Placeholders> placeholders_of(const TextOptions& options) {
  const text::ProtectedRules rules{.kinds = text::protected_kinds(options.protect, "text.protect"),
                                   .patterns = options.protect_patterns};
  return rules.any() ? std::make_shared<const text::Placeholders>(rules) : nullptr;
}

TokenizerText tokenizer_text(const data::CorpusFiles& files, const data::TextFormat& format,
                             const TextOptions& options) {
  const Placeholders placeholders = placeholders_of(options);
  const auto& paths = files.pairs.empty() ? files.target : files.pairs;
  return {.has_source = files.has_source(),
          .name = data::name_of(paths.at(0), files),
          .lines = [=](std::string data::TextPair::* side) { return lines_of(files, format, side, placeholders); },
          .error_at = [=](int64_t line, const std::string& message) { return error_at(files, format, line, message); },
          .may_exceed = [=](int64_t megabytes) { return may_exceed(files, megabytes); }};
}

TokenizerText tokenizer_text(std::shared_ptr<data::PairStream> stream, const TextOptions& options) {
  const ReadAhead ahead = read_ahead_of(options);
  const auto lines = [stream, ahead, placeholders = placeholders_of(options)](std::string data::TextPair::* side) {
    if (stream->ahead() == 0) read_ahead(*stream, ahead);
    return text::LineSource([stream, side, placeholders, next = int64_t{0}](std::string& line) mutable {
      if (next == stream->ahead()) return false;
      line = side_of(stream->ahead(next++), side, placeholders);
      return true;
    });
  };
  return {.has_source = stream->files().has_source(),
          .name = data::names_of(stream->files()),
          .lines = lines,
          .error_at = [stream](int64_t line, const std::string& message) { return stream->error_at(line, message); },
          .may_exceed = [](int64_t) { return false; }};
}

bool has_tokenizers(const checkpoint::RunDirectory& directory) { return !tokenizer_files(directory).empty(); }

void remove_tokenizers(checkpoint::RunDirectory& directory) {
  for (const auto& [name, record] : tokenizer_files(directory)) directory.remove(name);
  if (directory.manifest().files.contains(text::Placeholders::kFile)) directory.remove(text::Placeholders::kFile);
}

text::Tokenizers open_tokenizers(checkpoint::RunDirectory& directory, const RunOptions& options,
                                 const TokenizerText& text) {
  const size_t needed = text.has_source ? 2 : 1;
  if (const auto there = tokenizer_files(directory); there.size() == needed) {
    checkpoint::Manifest manifest;
    manifest.files = there;
    const auto placeholders = directory.manifest().files.find(text::Placeholders::kFile);
    if (placeholders != directory.manifest().files.end()) manifest.files.insert(*placeholders);
    checkpoint::verify_files(directory.path(), manifest, checkpoint::Verify::Checksums);
    return text::load_tokenizers(directory.path());
  }
  const TokenizerTask task{.task = options.task,
                           .base = options.base.gives_tokenizers() ? options.base.from : std::string()};
  const Placeholders placeholders = placeholders_of(options.text);
  TextOptions how = options.text;
  auto* learned = std::get_if<LearnedTokenizers>(&how.tokenizers);
  if (placeholders && learned) keep_placeholders(learned->options);
  const bool adds = placeholders && learned && has_only_text(learned->options);
  const TokenizerText read = adds ? with_placeholders(text) : text;
  const auto make = [&](const auto& tokenizers) { return make_tokenizers(tokenizers, read, task); };
  text::Tokenizers made = std::visit(make, how.tokenizers);
  check_tying(made, options.arch);
  if (placeholders) {
    for (const text::Tokenizer* tokenizer : {made.source.get(), made.target.get()})
      require_whole_placeholders(*tokenizer);
    made.placeholders = placeholders;
    directory.write(text::Placeholders::kFile, placeholders->serialized());
  }
  const auto write = [&](const char* side, const text::Tokenizer& tokenizer) {
    directory.write(fmt::format("{}.{}", side, tokenizer.file_ending()), tokenizer.serialized());
  };
  if (made.source) write("source", *made.source);
  write("target", *made.target);
  require_read_back(made, directory.path());
  return made;
}

text::Tokenizers sampling_tokenizers(const text::Tokenizers& tokenizers, const TextOptions& options) {
  return std::visit([&](const auto& how) { return with_sampling(tokenizers, how); }, options.tokenizers);
}

}  // namespace heed::config
