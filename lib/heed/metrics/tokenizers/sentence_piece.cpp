#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sentencepiece_processor.h>

#include "heed/core/error.h"
#include "heed/metrics/tokenizers/model_tokenizers.h"

namespace heed::metrics {
namespace {

class SentencePiecePieces : public TextTokenizer {
 public:
  SentencePiecePieces(const std::string& path, std::string name) : name_(std::move(name)) {
    const auto status = processor_.Load(path);
    if (!status.ok()) {
      throw ConfigError("tokenizer-model",
                        fmt::format("must be a SentencePiece model, but {} is not: {}", path, status.ToString()));
    }
  }
  void tokenize(std::string_view line, std::string& tokens, std::string&) const override {
    std::vector<std::string> pieces;
    const auto status = processor_.Encode({line.data(), line.size()}, &pieces);
    if (!status.ok()) throw Error(fmt::format("SentencePiece cannot encode a line: {}", status.ToString()));
    tokens.clear();
    for (const std::string& piece : pieces) tokens.append(piece) += ' ';
  }
  std::string name() const override { return name_; }

 private:
  sentencepiece::SentencePieceProcessor processor_;
  std::string name_;
};

}  // namespace

std::unique_ptr<const TextTokenizer> make_sentence_piece(const std::string& path, std::string name) {
  return std::make_unique<SentencePiecePieces>(path, std::move(name));
}

}  // namespace heed::metrics
