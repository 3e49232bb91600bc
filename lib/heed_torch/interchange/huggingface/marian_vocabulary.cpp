#include "heed_torch/interchange/huggingface/marian_vocabulary.h"

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/text/sentencepiece/piece_table_tokenizer.h"
#include "heed_torch/interchange/common/json_file.h"

namespace heed::interchange {
namespace {

/// The pieces by id; empty if no piece has the id.
std::vector<std::string> pieces_by_id(const JsonFile& file, int64_t rows) {
  std::vector<std::string> pieces(static_cast<size_t>(rows));
  std::vector<bool> taken(pieces.size());
  for (const auto& [piece, value] : file.object().items()) {
    if (!value.is_number_integer() || value.get<double>() < 0 || value.get<double>() >= static_cast<double>(rows)) {
      file.refuse(piece, fmt::format("an id below {}, the rows of the embeddings in config.json", rows));
    }
    const auto id = value.get<size_t>();
    if (taken[id]) {
      throw CheckpointError(file.path(), fmt::format("gives the id {} to `{}` and to `{}`", id, pieces[id], piece));
    }
    taken[id] = true;
    pieces[id] = piece;
  }
  return pieces;
}

/// The id of a token that every vocabulary needs.
int64_t special_id(const JsonFile& file, const std::string& token, std::optional<int64_t> expected) {
  const auto found = file.object().find(token);
  if (found == file.object().end()) throw CheckpointError(file.path(), fmt::format("lacks the token `{}`", token));
  const auto id = found->get<int64_t>();
  if (expected && id != *expected) file.refuse(token, fmt::format("{}, its id in config.json", *expected));
  return id;
}

/// The ids in config.json; absent for the source of two vocabularies, whose ids it does not contain.
struct ExpectedIds {
  std::optional<int64_t> eos, pad;
};

/// Pieces after pad, unk, bos and eos, in the order of their ids.
PieceTable read_table(const std::string& path, const MarianConfig& config, int64_t rows, const ExpectedIds& expected) {
  const JsonFile file(path);
  const std::vector<std::string> pieces = pieces_by_id(file, rows);
  const int64_t unk = special_id(file, config.unk, {}), eos = special_id(file, config.eos, expected.eos);
  const int64_t pad = special_id(file, config.pad, expected.pad);
  if (unk == eos || unk == pad || eos == pad) throw CheckpointError(path, "has one id for two special tokens");
  PieceTable table{.rows = {-1, unk, pad, eos}, .entries = {}};
  for (int64_t id = 0; id < rows; ++id) {
    const std::string& piece = pieces[static_cast<size_t>(id)];
    if (id == unk || id == eos || id == pad) continue;
    if (piece == kHeedPad) {
      table.rows[text::kPad] = id;
      continue;
    }
    table.rows.push_back(id);
    // A row without a piece, or with one that no text can contain, gets a name that no text can contain.
    table.entries.push_back(text::PieceTableTokenizer::can_be_entry(piece) ? piece : fmt::format("<entry {}>", id));
  }
  return table;
}

}  // namespace

MarianVocabularies read_marian_vocabularies(const std::string& directory, const MarianConfig& config) {
  const std::string source = directory + "/vocab.json";
  const ExpectedIds expected{.eos = config.eos_id, .pad = config.pad_id};
  if (config.one_vocabulary) {
    return {.source = read_table(source, config, config.source_rows, expected),
            .target = read_table(source, config, config.target_rows, expected)};
  }
  return {.source = read_table(source, config, config.source_rows, {}),
          .target = read_table(directory + "/target_vocab.json", config, config.target_rows, expected)};
}

}  // namespace heed::interchange
