#include "heed/text/sentence_piece_tokenizer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <sentencepiece_processor.h>

#include "heed/core/error.h"
#include "heed/text/word_index.h"

namespace heed::text {
namespace {

using sentencepiece::SentencePieceProcessor;

constexpr std::string_view kSpaceMark = "\u2581";

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

/// The text that an id stands for within a line.
std::string text_of(const SentencePieceProcessor& processor, int32_t id) {
  if (processor.IsControl(id)) return "";
  if (processor.IsUnknown(id)) return processor.DecodeIds({id});
  const std::string& piece = processor.IdToPiece(id);
  if (processor.IsByte(id)) return std::string(1, static_cast<char>(std::stoi(piece.substr(3, 2), nullptr, 16)));  // <0xNN>
  return with_spaces(piece);
}

/// What SentencePiece is given for a line.
class Prepared {
 public:
  explicit Prepared(std::string_view line) : line_(line) {
    if (line.find('\t') == std::string_view::npos) return;
    copy_ = line;
    std::ranges::replace(copy_, '\t', ' ');
    line_ = copy_;
  }
  absl::string_view view() const { return {line_.data(), line_.size()}; }

 private:
  std::string copy_;
  std::string_view line_;
};

/// Draws from candidates with probability proportional to exp(alpha * score).
const sentencepiece::ImmutableSentencePieceText& draw(
    const std::vector<sentencepiece::ImmutableSentencePieceText>& candidates, double alpha, RandomStream& random) {
  std::vector<double> weights;
  double total = 0;
  for (const auto& candidate : candidates) {  // best first: no weight exceeds 1
    weights.push_back(std::exp(alpha * (double{candidate.score()} - double{candidates[0].score()})));
    total += weights.back();
  }
  double rest = random.uniform() * total;
  size_t drawn = 0;
  while (drawn + 1 < weights.size() && rest >= weights[drawn]) rest -= weights[drawn++];
  return candidates[drawn];
}

}  // namespace

SentencePieceTokenizer::SentencePieceTokenizer(const std::string& path, std::string model) {
  auto processor = std::make_shared<SentencePieceProcessor>();
  if (model.empty() || !processor->LoadFromSerializedProto(model).ok()) {
    throw InputError(path, 0, "expected a SentencePiece model");
  }
  if (processor->pad_id() != kPad || processor->unk_id() != kUnk || processor->bos_id() != kBos ||
      processor->eos_id() != kEos) {
    throw InputError(path, 0,
                     fmt::format("expected a SentencePiece model with the ids pad {}, unk {}, bos {} and eos {}, found {}, "
                                 "{}, {} and {} (-1: none)",
                                 kPad, kUnk, kBos, kEos, processor->pad_id(), processor->unk_id(), processor->bos_id(),
                                 processor->eos_id()));
  }
  for (int32_t id = 0; id < processor->GetPieceSize(); ++id) texts_.push_back(text_of(*processor, id));
  processor_ = std::move(processor);
  model_ = std::make_shared<const std::string>(std::move(model));
}

std::shared_ptr<const Tokenizer> SentencePieceTokenizer::with(const NbestSampling& sampling) const {
  std::vector<std::vector<int>> candidates;
  if (!processor_->NBestEncode("a", 2, &candidates).ok()) {
    throw ConfigError("text.sampling", "needs a unigram tokenizer: this model's segmentations have no probabilities");
  }
  auto sampler = std::make_shared<SentencePieceTokenizer>(*this);
  sampler->sampling_ = sampling;
  return sampler;
}

Ids SentencePieceTokenizer::encode(std::string_view line) const {
  Ids ids;
  const auto status = processor_->Encode(Prepared(line).view(), &ids);
  check(status.ok(), status.ToString());
  return ids;
}

Ids SentencePieceTokenizer::sample(std::string_view line, RandomStream& random) const {
  if (!sampling_) return encode(line);
  const Prepared prepared(line);
  const auto nbest = processor_->NBestEncodeAsImmutableProto(prepared.view(), static_cast<int>(sampling_->nbest));
  const auto candidates = nbest.nbests();
  if (candidates.empty()) return encode(line);
  Ids ids;
  for (const auto& piece : draw(candidates, sampling_->alpha, random).pieces()) {
    ids.push_back(static_cast<int32_t>(piece.id()));
  }
  return ids;
}

std::string SentencePieceTokenizer::decode(std::span<const int32_t> ids) const {
  std::string line;
  const auto status = processor_->Decode(std::vector<int>(ids.begin(), ids.end()), &line);
  check(status.ok(), status.ToString());
  std::ranges::replace(line, '\n', ' ');
  return line;
}

std::string SentencePieceTokenizer::piece(int32_t id) const {
  check(id >= 0 && id < size(), "no such vocabulary id");
  return processor_->IdToPiece(id);
}

std::vector<int64_t> SentencePieceTokenizer::words(std::span<const int32_t> ids) const {
  std::vector<std::string> texts;
  texts.reserve(ids.size());
  for (const int32_t id : ids) {
    check(id >= 0 && id < size(), "no such vocabulary id");
    texts.push_back(texts_[static_cast<size_t>(id)]);
  }
  return word_index(texts);
}

}  // namespace heed::text
