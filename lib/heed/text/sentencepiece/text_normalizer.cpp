#include "heed/text/sentencepiece/text_normalizer.h"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/text/sentencepiece/piece_text.h"

namespace heed::text {
namespace {

using sentencepiece::SentencePieceProcessor;
using sentencepiece::SentencePieceTrainer;

constexpr uint64_t kNormalizerSpec = 3;  // its field number in SentencePiece's ModelProto
constexpr uint64_t kLengthDelimited = 2;

/// Reads a Protocol Buffers varint: seven bits per byte, the lowest first.
uint64_t take_varint(std::string_view& message) {
  uint64_t value = 0;
  for (int shift = 0; !message.empty() && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(message.front());
    message.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

struct Field {
  uint64_t number;
  std::string_view bytes;  ///< including tag and length
};

/// Reads the next field of a serialized ModelProto. All its fields are length-delimited.
Field take_field(std::string_view& message) {
  const std::string_view begin = message;
  const uint64_t tag = take_varint(message);
  check((tag & 7) == kLengthDelimited, "a SentencePiece model has a field without a length");
  const uint64_t length = take_varint(message);
  check(length <= message.size(), "a SentencePiece model ends within a field");
  message.remove_prefix(length);
  return {.number = tag >> 3, .bytes = begin.substr(0, begin.size() - message.size())};
}

std::string_view normalizer_of(std::string_view model) {
  while (!model.empty()) {
    const Field field = take_field(model);
    if (field.number == kNormalizerSpec) return field.bytes;
  }
  check(false, "a SentencePiece model has no normalizer");
  return {};
}

/// Joins texts as comma-separated values: SentencePiece's format for lists.
std::string comma_separated(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) {
    if (!joined.empty()) joined += ',';
    joined += '"';
    for (const char c : text) joined.append(c == '"' ? 2 : 1, c);
    joined += '"';
  }
  return joined;
}

class OneSentence : public sentencepiece::SentenceIterator {
 public:
  bool done() const override { return done_; }
  void Next() override { done_ = true; }
  const std::string& value() const override { return sentence_; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::string sentence_ = "a";
  bool done_ = false;
};

std::string smallest_model(Normalizer normalizer, const std::vector<std::string>& user_symbols) {
  std::unordered_map<std::string, std::string> arguments{{"model_type", "char"},
                                                         {"vocab_size", fmt::format("{}", 8 + user_symbols.size())},
                                                         {"hard_vocab_limit", "false"},
                                                         {"minloglevel", "3"}};
  for (auto& argument : normalizer_arguments(normalizer, user_symbols)) arguments.insert(std::move(argument));
  OneSentence sentence;
  std::string model;
  const auto status = SentencePieceTrainer::Train(arguments, &sentence, &model);
  check(status.ok(), status.ToString());
  return model;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> normalizer_arguments(Normalizer normalizer,
                                                                      const std::vector<std::string>& user_symbols) {
  const bool own = normalizer == Normalizer::Whitespace;  // SentencePiece has no such rule
  std::vector<std::pair<std::string, std::string>> arguments{
      {"normalization_rule_name", std::string(enum_name(own ? Normalizer::Identity : normalizer))},
      {"remove_extra_whitespaces", normalizer == Normalizer::Identity ? "false" : "true"}};
  if (!user_symbols.empty()) arguments.emplace_back("user_defined_symbols", comma_separated(user_symbols));
  return arguments;
}

TextNormalizer::TextNormalizer(Normalizer normalizer, const std::vector<std::string>& user_symbols)
    : model_(smallest_model(normalizer, user_symbols)) {
  auto processor = std::make_shared<SentencePieceProcessor>();
  const auto status = processor->LoadFromSerializedProto(model_);
  check(status.ok(), status.ToString());
  processor_ = std::move(processor);
}

std::string TextNormalizer::operator()(std::string_view line) const {
  std::string pieces;
  const auto encoded = processor_->EncodeAsImmutableProto(Prepared(line).view());
  for (const auto& piece : encoded.pieces()) pieces += piece.piece();
  const std::string text = with_spaces(pieces);
  return text.starts_with(' ') ? text.substr(1) : text;  // removes the dummy prefix
}

std::string TextNormalizer::put_into(std::string_view model) const {
  std::string changed;
  while (!model.empty()) {
    const Field field = take_field(model);
    changed += field.number == kNormalizerSpec ? normalizer_of(model_) : field.bytes;
  }
  return changed;
}

}  // namespace heed::text
