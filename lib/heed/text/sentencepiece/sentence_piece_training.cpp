#include "heed/text/sentencepiece/sentence_piece_training.h"

#include <exception>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <sentencepiece_trainer.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/text/sentencepiece/sentence_piece_tokenizer.h"
#include "heed/text/sentencepiece/status_text.h"
#include "heed/text/sentencepiece/text_normalizer.h"

namespace heed::text {
namespace {

// SentencePiece silently drops lines with more bytes than this (its default). So longer lines are passed in several
// parts.
constexpr size_t kLongestSentence = 4192;
// The last digits of a unigram model depend on the number of threads. So this is constant: spm_train's default.
constexpr int kThreads = 16;
// SentencePiece reserves U+2585 and drops lines that have it.
constexpr std::string_view kReserved = "\u2585";

/// The bytes of `text` to pass as one sentence: all of it, or up to the last white space (or else character) that fits.
size_t sentence_end(std::string_view text) {
  if (text.size() <= kLongestSentence) return text.size();
  const size_t space = text.rfind(' ', kLongestSentence);
  if (space != std::string_view::npos && space > 0) return space;
  size_t end = kLongestSentence;
  while (end > 1 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return end;
}

class Sentences : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(LineSource lines) : lines_(std::move(lines)) { Next(); }

  bool done() const override { return done_; }
  const std::string& value() const override { return sentence_; }
  sentencepiece::util::Status status() const override {
    if (!failure_) return {};
    return {sentencepiece::util::StatusCode::kAborted, "the text could not be read"};
  }
  void Next() override {
    while (strip(rest_).empty()) {
      if (!next_line()) return;
    }
    const size_t end = sentence_end(rest_);
    sentence_ = rest_.substr(0, end);
    rest_.remove_prefix(end);
    any_ = true;
  }
  /// Whether there was at least one sentence.
  bool any() const { return any_; }
  /// Rethrows what the line source threw, because exceptions must not pass through the library.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  bool next_line() {
    try {
      done_ = !lines_(line_);
    } catch (...) {
      failure_ = std::current_exception();
      done_ = true;
    }
    if (done_) return false;
    for (size_t found = 0; (found = line_.find(kReserved, found)) != std::string::npos;) {
      line_.replace(found, kReserved.size(), 1, ' ');
    }
    for (char& c : line_) {
      if (c == '\t' || c == '\0') c = ' ';
    }
    rest_ = line_;
    return true;
  }

  LineSource lines_;
  std::string line_;
  std::string_view rest_;
  std::string sentence_;
  bool done_ = false;
  bool any_ = false;
  std::exception_ptr failure_;
};

std::unordered_map<std::string, std::string> trainer_arguments(std::string_view model_type,
                                                               const SubwordOptions& options, Normalizer normalizer,
                                                               int64_t vocab_size) {
  std::unordered_map<std::string, std::string> arguments{
      {"model_type", std::string(model_type)},
      {"vocab_size", fmt::format("{}", vocab_size)},
      {"hard_vocab_limit", "false"},
      {"character_coverage", fmt::format("{}", options.coverage)},
      {"byte_fallback", options.byte_fallback ? "true" : "false"},
      {"input_sentence_size", fmt::format("{}", options.sample_lines.value_or(0))},
      {"max_sentence_length", fmt::format("{}", kLongestSentence)},
      {"num_threads", fmt::format("{}", kThreads)},
      {"pad_id", fmt::format("{}", kPad)},
      {"unk_id", fmt::format("{}", kUnk)},
      {"bos_id", fmt::format("{}", kBos)},
      {"eos_id", fmt::format("{}", kEos)},
      {"unk_surface", "\u2047"},
      {"minloglevel", "3"}};
  for (auto& argument : normalizer_arguments(normalizer, options.user_symbols)) arguments.insert(std::move(argument));
  return arguments;
}

[[noreturn]] void fail(const std::string& message, int64_t vocab_size) {
  // The message: "... smaller than required_chars. 20 vs 63. ..."
  constexpr std::string_view kBefore = " vs ";
  const size_t compared = message.find(kBefore, message.find("required_chars. "));
  if (compared == std::string::npos) {
    throw ConfigError(fmt::format("SentencePiece cannot learn from this text: {}", message));
  }
  const size_t number = compared + kBefore.size();
  throw ConfigError(
      "text.vocab-size",
      fmt::format("must be at least {} for the characters of this text (or `text.coverage` less), found {}",
                  message.substr(number, message.find('.', number) - number), vocab_size));
}

}  // namespace

std::shared_ptr<const Tokenizer> learn_sentence_pieces(std::string_view model_type, const SubwordOptions& options,
                                                       Normalizer normalizer, int64_t vocab_size, LineSource lines) {
  Sentences sentences(std::move(lines));
  std::string model;
  const auto status = sentencepiece::SentencePieceTrainer::Train(
      trainer_arguments(model_type, options, normalizer, vocab_size), &sentences, &model);
  sentences.rethrow();
  if (!sentences.any()) throw Error("no tokenizer can be learned: the text is blank");
  if (!status.ok()) fail(status_text(status.ToString()), vocab_size);
  return std::make_shared<SentencePieceTokenizer>("learned model", std::move(model));
}

Tokenizers learn_joint_sentence_pieces(std::string_view model_type, const SubwordOptions& options, int64_t vocab_size,
                                       LineSource source, LineSource target) {
  if (options.of_source() == options.of_target()) {
    const auto learned = learn_sentence_pieces(model_type, options, options.of_target(), vocab_size,
                                               concatenated(std::move(source), std::move(target)));
    return {.source = learned, .target = learned};
  }
  const TextNormalizer of_source(options.of_source(), options.user_symbols);
  const TextNormalizer of_target(options.of_target(), options.user_symbols);
  const auto normalized = [](LineSource lines, const TextNormalizer& normalizer) -> LineSource {
    return [lines = std::move(lines), &normalizer](std::string& line) {
      if (!lines(line)) return false;
      line = normalizer(line);
      return true;
    };
  };
  const auto learned = learn_sentence_pieces(
      model_type, options, Normalizer::Identity, vocab_size,
      concatenated(normalized(std::move(source), of_source), normalized(std::move(target), of_target)));
  const auto with = [&](const TextNormalizer& normalizer) {
    return std::make_shared<SentencePieceTokenizer>("learned model", normalizer.put_into(learned->serialized()));
  };
  return {.source = with(of_source), .target = with(of_target)};
}

}  // namespace heed::text
