#include "heed_torch/interchange/ctranslate2/vocabularies.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/text/json_nesting.h"
#include "heed/text/sentencepiece/piece_table_tokenizer.h"
#include "heed/text/tokenizers/tokenizer_files.h"

namespace heed::interchange {
namespace {

namespace fs = std::filesystem;

struct TokenList {
  std::string path;
  std::vector<std::string> tokens;
  std::unordered_map<std::string, int64_t> ids;

  std::optional<int64_t> find(const std::string& token) const {
    const auto found = ids.find(token);
    return found == ids.end() ? std::nullopt : std::optional(found->second);
  }
  int64_t require(const std::string& token) const {
    if (const auto id = find(token)) return *id;
    throw CheckpointError(path, fmt::format("lacks the token `{}`", token));
  }
};

std::vector<std::string> tokens_of_json(const std::string& path) {
  const std::string content = read_regular_file(path);
  if (is_nested_deeper(content)) throw CheckpointError(path, nested_too_deep());
  const nlohmann::json json = nlohmann::json::parse(content, nullptr, /*allow_exceptions=*/false);
  const auto is_text = [](const nlohmann::json& value) { return value.is_string(); };
  if (!json.is_array() || !std::ranges::all_of(json, is_text)) {
    throw CheckpointError(path, "is not a JSON list of tokens, or it is truncated");
  }
  return json.get<std::vector<std::string>>();
}

/// Like CTranslate2, removes CRs only if all lines end with one; otherwise they are part of the token.
std::vector<std::string> tokens_of_lines(const std::string& path) {
  std::vector<std::string> tokens;
  std::istringstream lines(read_regular_file(path));
  for (std::string line; std::getline(lines, line);) tokens.push_back(line);
  if (std::ranges::all_of(tokens, [](const std::string& token) { return token.ends_with('\r'); })) {
    for (std::string& token : tokens) token.pop_back();
  }
  return tokens;
}

/// name: "shared", "source" or "target". Absent if there is no such file.
std::optional<TokenList> read_list(const std::string& directory, const std::string& name) {
  const std::string path = fmt::format("{}/{}_vocabulary.", directory, name);
  TokenList list;
  if (fs::exists(path + "json")) {
    list = {.path = path + "json", .tokens = tokens_of_json(path + "json"), .ids = {}};
  } else if (fs::exists(path + "txt")) {
    list = {.path = path + "txt", .tokens = tokens_of_lines(path + "txt"), .ids = {}};
  } else {
    return std::nullopt;
  }
  for (const std::string& token : list.tokens) {
    const auto id = static_cast<int64_t>(list.ids.size());
    if (!list.ids.emplace(token, id).second) throw CheckpointError(list.path, fmt::format("has `{}` twice", token));
  }
  return list;
}

struct SpecialTokens {
  std::string unk, eos;
  std::optional<std::string> start;  ///< absent: zeros
};

SpecialTokens special_tokens(const JsonFile& config, bool starts_from_zeros) {
  if (config.flag("add_source_bos", false)) config.refuse("add_source_bos", "false: heed puts nothing before a source");
  SpecialTokens special{.unk = config.text("unk_token", "<unk>"), .eos = config.text("eos_token", "</s>"), .start = {}};
  if (starts_from_zeros) return special;
  const bool unsaid = !config.object().contains("decoder_start_token");
  special.start = config.text("decoder_start_token", unsaid ? std::optional<std::string>("<s>") : std::nullopt);
  return special;
}

/// The target's vocabulary must have the decoder's first token; the source's may have it.
PieceTable table_of(const TokenList& list, const SpecialTokens& special, bool is_target) {
  constexpr const char* kPadName = "<pad>";
  const int64_t unk = list.require(special.unk), eos = list.require(special.eos);
  std::optional<int64_t> start;
  if (special.start) start = is_target ? list.require(*special.start) : list.find(*special.start);
  const int64_t pad = special.start == kPadName ? -1 : list.find(kPadName).value_or(-1);
  PieceTable table{.rows = {pad, unk, start.value_or(-1), eos}, .entries = {}};
  const auto last_special = table.rows.begin() + text::kEos + 1;
  if (unk == eos || unk == start || std::count(table.rows.begin(), last_special, pad) > (pad < 0 && !start ? 2 : 1)) {
    throw CheckpointError(list.path, "has one id for two special tokens");
  }
  const std::vector<int64_t> taken(table.rows.begin(), last_special);
  for (size_t i = 0; i < list.tokens.size(); ++i) {
    const auto id = static_cast<int64_t>(i);
    if (std::ranges::find(taken, id) != taken.end()) continue;
    table.rows.push_back(id);
    // An entry that no text can contain is kept under a name that no text can contain.
    const bool is_piece = text::PieceTableTokenizer::can_be_entry(list.tokens[i]);
    table.entries.push_back(is_piece ? list.tokens[i] : fmt::format("<entry {}>", id));
  }
  return table;
}

bool has_tokenizer(const std::string& directory, const char* side) {
  return std::ranges::any_of(fs::directory_iterator(directory),
                             [&](const fs::directory_entry& entry) { return entry.path().stem() == side; });
}

/// path: without the ending.
void require_same_tokens(const text::Tokenizer& tokenizer, const PieceTable& table, const std::string& path) {
  if (numbers_alike(tokenizer, table)) return;
  throw CheckpointError(fmt::format("{}.{}", path, tokenizer.file_ending()),
                        "must have the tokens of the vocabulary next to it, but has others");
}

/// The file names of both sides' SentencePiece models.
constexpr std::array kModelNames{std::pair{"source.spm", "target.spm"}, std::pair{"spm.model", "spm.model"},
                                 std::pair{"sentencepiece.model", "sentencepiece.model"},
                                 std::pair{"sentencepiece.bpe.model", "sentencepiece.bpe.model"}};

}  // namespace

VocabularyTables read_vocabularies(const std::string& directory, const JsonFile& config, bool starts_from_zeros) {
  const auto shared = read_list(directory, "shared");
  const auto source = shared ? shared : read_list(directory, "source");
  const auto target = shared ? shared : read_list(directory, "target");
  if (!source || !target) {
    throw CheckpointError(directory,
                          "lacks shared_vocabulary.json, or source_vocabulary.json and target_vocabulary.json");
  }
  const SpecialTokens special = special_tokens(config, starts_from_zeros);
  VocabularyTables tables{.source = table_of(*source, special, /*is_target=*/false),
                          .target = table_of(*target, special, /*is_target=*/true),
                          .one_vocabulary = source->tokens == target->tokens,
                          .never_produced = {}};
  const auto& rows = tables.target.rows;
  if (rows[text::kPad] < 0) tables.never_produced.push_back(text::kPad);
  if (rows[text::kBos] < 0 || rows[text::kBos] == rows[text::kEos]) tables.never_produced.push_back(text::kBos);
  return tables;
}

text::Tokenizers find_tokenizers(const std::string& directory, const VocabularyTables& tables) {
  const auto path = [&](const char* name) { return directory + "/" + name; };
  for (const auto& [source, target] : kModelNames) {
    if (!fs::exists(path(source)) || !fs::exists(path(target))) continue;
    return make_tokenizers(path(source), tables.source, path(target), tables.target);
  }
  for (const char* side : {"source", "target"}) {
    if (!has_tokenizer(directory, side)) {
      throw CheckpointError(directory, fmt::format("has no {0} tokenizer, which CTranslate2 keeps elsewhere: put the "
                                                   "model's SentencePiece files there as source.spm and target.spm "
                                                   "(ct2-transformers-converter --copy_files source.spm target.spm)",
                                                   side));
    }
  }
  text::Tokenizers tokenizers = text::load_tokenizers(directory);
  if (!tokenizers.source)
    throw CheckpointError(directory, "has a file `source.` with an ending that heed does not know");
  require_same_tokens(*tokenizers.source, tables.source, directory + "/source");
  require_same_tokens(*tokenizers.target, tables.target, directory + "/target");
  return tokenizers;
}

}  // namespace heed::interchange
