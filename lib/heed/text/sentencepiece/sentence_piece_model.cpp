#include "heed/text/sentencepiece/sentence_piece_model.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/text/unicode.h"
#include "heed/text/sentencepiece/piece_text.h"
#include "heed/text/sentencepiece/status_text.h"

namespace heed::text {
namespace {

int parse_id(std::string_view text, int size) {
  int id = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{} || end != text.data() + text.size() || id < 0 || id >= size) throw std::invalid_argument("");
  return id;
}

void check_status(const sentencepiece::util::Status& status) { check(status.ok(), status.ToString()); }

[[noreturn]] void refuse_training(const sentencepiece::util::Status& status) {
  const std::string reason = fmt::format("SentencePiece cannot train: {}", status_text(status.ToString()));
  using sentencepiece::util::StatusCode;  // an unknown option is NotFound, a value out of range Internal
  constexpr std::array kOptionsToBlame{StatusCode::kInvalidArgument, StatusCode::kNotFound, StatusCode::kInternal};
  if (std::ranges::find(kOptionsToBlame, status.code()) != kOptionsToBlame.end()) throw ConfigError(reason);
  throw Error(reason);
}

/// Whether the library parses the value of a flag as false.
bool is_false(std::string value) {
  std::ranges::transform(value, value.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::array<std::string_view, 5> kFalse{"0", "f", "false", "n", "no"};
  return std::ranges::find(kFalse, value) != kFalse.end();
}

/// In the library's format: numbers with six digits.
std::string vocabulary_of(const std::string& model, bool scores) {
  sentencepiece::SentencePieceProcessor processor;
  check_status(processor.LoadFromSerializedProto(model));
  std::string text;
  for (int id = 0; id < processor.GetPieceSize(); ++id) {
    text += processor.IdToPiece(id);
    text += scores ? fmt::format("\t{:g}\n", processor.GetScore(id)) : "\n";
  }
  return text;
}

}  // namespace

bool has_best_lists(const sentencepiece::SentencePieceProcessor& processor) {
  std::vector<std::vector<int>> lists;
  return processor.NBestEncode("a", 2, &lists).ok();
}

SentencePieceModel::SentencePieceModel(const std::string& path) : processor_(load_processor(path, read_file(path))) {}
SentencePieceModel::~SentencePieceModel() = default;

bool SentencePieceModel::draws_from_lists() const { return has_best_lists(*processor_); }

void SentencePieceModel::sample(const SentencePieceSampling& sampling) {
  sampling_ = sampling;
  sentencepiece::SetRandomGeneratorSeed(static_cast<unsigned>(sampling.seed));
}

void SentencePieceModel::set_extra_options(const std::string& options) {
  const auto status = processor_->SetEncodeExtraOptions(options);
  if (status.ok()) return;
  throw ConfigError("--extra-options", fmt::format("cannot be `{}`: {}", options, status_text(status.ToString())));
}

std::string SentencePieceModel::encode(const std::string& line, PieceFormat format) const {
  const auto encoded = [&](auto results) {
    if (sampling_) {
      check_status(processor_->SampleEncode(line, static_cast<int>(sampling_->nbest),
                                            static_cast<float>(sampling_->alpha), &results));
    } else {
      check_status(processor_->Encode(line, &results));
    }
    return fmt::format("{}", fmt::join(results, " "));
  };
  return format == PieceFormat::Piece ? encoded(std::vector<std::string>()) : encoded(std::vector<int>());
}

std::string SentencePieceModel::decode(const std::string& line, PieceFormat format) const {
  std::string text;
  if (format == PieceFormat::Piece) {
    std::vector<std::string> pieces;  // pieces may contain other white space
    for (const std::string_view piece : split_spaces(line)) pieces.emplace_back(piece);
    check_status(processor_->Decode(pieces, &text));
  } else {
    std::vector<int> ids;
    for (const std::string_view id : split_spaces(line)) ids.push_back(parse_id(id, processor_->GetPieceSize()));
    check_status(processor_->Decode(ids, &text));
  }
  return text;
}

TrainedPieces train_sentence_pieces(const std::map<std::string, std::string>& options) {
  TrainedPieces trained;
  const auto status = sentencepiece::SentencePieceTrainer::Train(
      std::unordered_map<std::string, std::string>(options.begin(), options.end()), nullptr, &trained.model);
  if (!status.ok()) refuse_training(status);
  const auto shown = options.find("vocabulary_output_piece_score");
  trained.vocabulary = vocabulary_of(trained.model, shown == options.end() || !is_false(shown->second));
  return trained;
}

}  // namespace heed::text
