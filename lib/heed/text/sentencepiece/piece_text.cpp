#include "heed/text/sentencepiece/piece_text.h"

#include <algorithm>
#include <cctype>
#include <exception>
#include <new>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"

namespace heed::text {

using sentencepiece::SentencePieceProcessor;

namespace {

/// Whether the piece of a byte has the form <0xNN>.
bool is_byte_piece(std::string_view piece) {
  const auto is_digit = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
  return piece.size() == 6 && is_digit(piece[3]) && is_digit(piece[4]);
}

/// Whether a model that could be loaded can be used: a damaged one may have anything in its pieces.
bool is_usable(const SentencePieceProcessor& processor) {
  for (int id = 0; id < processor.GetPieceSize(); ++id) {
    if (processor.IsByte(id) && !is_byte_piece(processor.IdToPiece(id))) return false;
  }
  std::vector<int> ids;
  return processor.Encode("a", &ids).ok();
}

bool loads(SentencePieceProcessor& processor, const std::string& model) {
  try {
    // If an allocation fails here, the library's protobuf crashes the process. heed cannot catch that.
    return processor.LoadFromSerializedProto(model).ok() && is_usable(processor);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {  // of the library's trie
    return false;
  }
}

}  // namespace

std::unique_ptr<SentencePieceProcessor> load_processor(const std::string& path, const std::string& model) {
  auto processor = std::make_unique<SentencePieceProcessor>();
  if (model.empty() || !loads(*processor, model)) throw InputError(path, 0, "expected a SentencePiece model");
  return processor;
}

std::string with_spaces(std::string_view piece) {
  std::string text;
  for (size_t begin = 0; begin < piece.size();) {
    const size_t mark = piece.find(kSpaceMark, begin);
    text += piece.substr(begin, mark - begin);
    if (mark == std::string_view::npos) break;
    text += ' ';
    begin = mark + kSpaceMark.size();
  }
  return text;
}

std::string text_of(const SentencePieceProcessor& processor, int32_t id) {
  if (processor.IsControl(id)) return "";
  if (processor.IsUnknown(id)) return processor.DecodeIds({id});
  const std::string& piece = processor.IdToPiece(id);
  if (processor.IsByte(id))
    return std::string(1, static_cast<char>(std::stoi(piece.substr(3, 2), nullptr, 16)));  // <0xNN>
  return with_spaces(piece);
}

Prepared::Prepared(std::string_view line) : line_(line) {
  if (line.find('\t') == std::string_view::npos) return;
  copy_ = line;
  std::ranges::replace(copy_, '\t', ' ');
  line_ = copy_;
}

LineWords piece_words(const SentencePieceProcessor& processor, std::string_view line, size_t skipped) {
  const auto words = split_whitespace(line);
  LineWords result{.words = {words.begin(), words.end()}, .of_id = {}};
  size_t word = 0;
  const auto best = processor.EncodeAsImmutableProto(Prepared(line.substr(skipped)).view());
  for (const auto& piece : best.pieces()) {
    const auto ends_before = [&](std::string_view text) {
      return text.data() + text.size() <= line.data() + skipped + piece.begin();
    };
    while (word < words.size() && ends_before(words[word])) ++word;
    result.of_id.push_back(word < words.size() ? static_cast<int64_t>(word) : -1);
  }
  return result;
}

}  // namespace heed::text
