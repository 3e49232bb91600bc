#include "heed/text/sentencepiece/piece_table_tokenizer.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/text/sentencepiece/piece_text.h"
#include "heed/text/vocabulary.h"
#include "heed/text/word_index.h"

namespace heed::text {
namespace {

constexpr std::string_view kVersion = "#version: 1\n";
constexpr std::string_view kModelBytes = "#model-bytes: ";

/// The number of bytes of the model, from the second line of the file. The size of the content if the line is missing.
size_t model_bytes(const std::string& path, std::string_view content) {
  size_t bytes = 0;
  const std::string head = std::string(kVersion) + std::string(kModelBytes);
  if (content.starts_with(head)) {
    const char* begin = content.data() + head.size();
    const auto [end, error] = std::from_chars(begin, content.data() + content.size(), bytes);
    if (error == std::errc() && end != content.data() + content.size() && *end == '\n' && bytes > 0) {
      if (bytes < content.size()) return bytes;
      throw InputError(path, 2,
                       fmt::format("expected a model of {} bytes after the table: the file is truncated", bytes));
    }
  }
  throw InputError(path, 1, "expected a table of pieces, which begins with `#version: 1` and `#model-bytes: N`");
}

}  // namespace

PieceTableTokenizer::PieceTableTokenizer(const std::string& path, std::string model, std::vector<std::string> entries)
    : model_(std::move(model)), entries_(kSpecialNames.begin(), kSpecialNames.end()) {
  processor_ = load_processor(path, model_);
  std::ranges::move(entries, std::back_inserter(entries_));
  check_entries(path);
  number_pieces();
}

bool PieceTableTokenizer::can_be_entry(std::string_view text) {
  return !text.empty() && text.find('\n') == std::string_view::npos && !first_invalid_utf8(text) && !is_special(text);
}

void PieceTableTokenizer::check_entries(const std::string& path) const {
  for (size_t id = kSpecialNames.size(); id < entries_.size(); ++id) {
    if (can_be_entry(entries_[id])) continue;
    throw InputError(path, 0, fmt::format("entry {} of the table, `{}`, cannot be a piece", id, entries_[id]));
  }
}

void PieceTableTokenizer::number_pieces() {
  for (size_t id = kSpecialNames.size(); id < entries_.size(); ++id) {
    const bool added = ids_.emplace(entries_[id], static_cast<int32_t>(id)).second;
    check(added, "an entry of a table of pieces is repeated");
  }
  for (int id = 0; id < processor_->GetPieceSize(); ++id) table_ids_.push_back(id_of(processor_->IdToPiece(id)));
  texts_.assign(kSpecialNames.size(), "");
  texts_[kUnk] = text_of(*processor_, processor_->unk_id());
  for (size_t id = kSpecialNames.size(); id < entries_.size(); ++id) {
    const int known = processor_->PieceToId(entries_[id]);
    texts_.push_back(processor_->IsUnknown(known) ? with_spaces(entries_[id]) : text_of(*processor_, known));
  }
}

int32_t PieceTableTokenizer::id_of(const std::string& piece) const {
  const auto found = ids_.find(piece);
  return found == ids_.end() ? kUnk : found->second;
}

/// The length of the language token at the start of the line; 0: none.
size_t PieceTableTokenizer::language_mark(std::string_view line) const {
  if (!line.starts_with(">>")) return 0;
  const size_t end = line.find("<<");
  if (end == std::string_view::npos || !ids_.contains(std::string(line.substr(0, end + 2)))) return 0;
  return end + 2;
}

Ids PieceTableTokenizer::encode(std::string_view line) const {
  const size_t mark = language_mark(line);
  Ids ids;
  if (mark > 0) ids.push_back(id_of(std::string(line.substr(0, mark))));
  const auto best = processor_->EncodeAsImmutableProto(Prepared(line.substr(mark)).view());
  for (const auto& piece : best.pieces()) {
    const auto id = static_cast<int32_t>(piece.id());
    // A piece that the model does not know may be an entry of the other language.
    ids.push_back(processor_->IsUnknown(id) ? id_of(std::string(piece.piece())) : table_ids_[static_cast<size_t>(id)]);
  }
  return ids;
}

std::string PieceTableTokenizer::decode(std::span<const int32_t> ids) const {
  std::vector<std::string> pieces;
  for (const int32_t id : ids) {
    check(id >= 0 && id < size(), "no such vocabulary id");
    if (id == kPad || id == kBos || id == kEos) continue;
    pieces.push_back(id == kUnk ? processor_->IdToPiece(processor_->unk_id()) : entries_[static_cast<size_t>(id)]);
  }
  std::string line;
  const auto status = processor_->Decode(pieces, &line);
  check(status.ok(), status.ToString());
  line = with_spaces(line);  // in pieces that the model does not know
  std::ranges::replace(line, '\n', ' ');
  const size_t begin = line.find_first_not_of(' ');
  return begin == std::string::npos ? "" : line.substr(begin, line.find_last_not_of(' ') + 1 - begin);
}

std::string PieceTableTokenizer::piece(int32_t id) const {
  check(id >= 0 && id < size(), "no such vocabulary id");
  return entries_[static_cast<size_t>(id)];
}

std::vector<int64_t> PieceTableTokenizer::words(std::span<const int32_t> ids) const {
  std::vector<std::string> texts;
  texts.reserve(ids.size());
  for (const int32_t id : ids) {
    check(id >= 0 && id < size(), "no such vocabulary id");
    texts.push_back(texts_[static_cast<size_t>(id)]);
  }
  return word_index(texts);
}

LineWords PieceTableTokenizer::line_words(std::string_view line) const {
  const size_t mark = language_mark(line);
  LineWords result = piece_words(*processor_, line, mark);
  if (mark > 0) result.of_id.insert(result.of_id.begin(), 0);
  return result;
}

std::string PieceTableTokenizer::serialized() const {
  std::string content = fmt::format("{}{}{}\n", kVersion, kModelBytes, model_.size());
  for (const std::string& entry : entries_) {
    content += entry;
    content += '\n';
  }
  return content + model_;
}

std::shared_ptr<const Tokenizer> PieceTableTokenizer::parse(const std::string& path, const std::string& content) {
  const size_t bytes = model_bytes(path, content);
  const std::string_view table = std::string_view(content).substr(0, content.size() - bytes);
  if (!table.ends_with('\n')) throw InputError(path, 2, "expected a line end between the table and the model");
  VocabularyFile vocabulary = parse_vocabulary(path, table);
  return std::make_shared<PieceTableTokenizer>(path, content.substr(table.size()), std::move(vocabulary.entries));
}

}  // namespace heed::text
