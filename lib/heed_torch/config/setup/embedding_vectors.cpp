#include "heed_torch/config/setup/embedding_vectors.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "heed/architecture/architecture.h"
#include "heed/core/error.h"
#include "heed/core/log.h"

namespace heed::config {
namespace {

constexpr std::string_view kWordBegin = "\u2581";  // SentencePiece's mark of a word's beginning

/// The source's embedding table; the target's if they share one.
at::Tensor source_table(models::Model& model) {
  const auto parameters = model.named_parameters();
  const auto* own = parameters.find("encoder.embedding.weight");
  return own ? *own : parameters["decoder.embedding.weight"];
}
at::Tensor target_table(models::Model& model) { return model.named_parameters()["decoder.embedding.weight"]; }

bool begins_word(std::string_view piece) { return piece.size() > kWordBegin.size() && piece.starts_with(kWordBegin); }

/// Whether the vocabulary's pieces mark where words begin, but the table's words do not.
bool drops_marks(const vectors::WordVectors& table, const text::Tokenizer& tokenizer) {
  if (std::ranges::any_of(table.words(), begins_word)) return false;
  for (int32_t id = text::kEos + 1; id < tokenizer.size(); ++id) {
    if (begins_word(tokenizer.piece(id))) return true;
  }
  return false;
}

/// A piece's vector, -1 if it has none. In a table without marks, pieces inside a word have none.
int64_t find_piece(const vectors::WordVectors& table, std::string_view piece, bool without_mark) {
  if (!without_mark) return table.find(piece);
  return begins_word(piece) ? table.find(piece.substr(kWordBegin.size())) : -1;
}

std::optional<EmbeddingVectors> read_side(const std::string& file, std::string_view option, int64_t d_model) {
  if (file.empty()) return std::nullopt;
  EmbeddingVectors read{.file = file, .vectors = vectors::read_word_vectors(file)};
  if (read.vectors.width() == d_model) return read;
  throw ConfigError(std::string(option), fmt::format("must have vectors as wide as arch.d-model ({}), found {}",
                                                     d_model, read.vectors.width()));
}

void set_rows(at::Tensor table, const text::Tokenizer& tokenizer, const EmbeddingVectors& given, std::string_view side,
              double scale) {
  const at::NoGradGuard no_grad;
  const bool without_mark = drops_marks(given.vectors, tokenizer);
  int64_t found = 0;
  for (int32_t id = text::kEos + 1; id < tokenizer.size(); ++id) {
    const int64_t word = find_piece(given.vectors, tokenizer.piece(id), without_mark);
    if (word < 0) continue;
    const auto values = given.vectors.vector(word);
    table[id].copy_(torch::tensor(std::vector<float>(values.begin(), values.end())) / scale);
    ++found;
  }
  if (found == 0) throw Error(fmt::format("{}: has no vector for any token of the {} vocabulary", given.file, side));
  log_info(fmt::format("{}: vectors for {} of the {} tokens of the {} vocabulary", given.file, found,
                       tokenizer.size() - text::kEos - 1, side));
}

/// Refuses to freeze embeddings that only have random initial values.
void require_vectors(bool frozen, const std::string& file, const std::string& side) {
  if (!frozen || !file.empty()) return;
  throw ConfigError("vectors.frozen", fmt::format("names the {0}, which needs vectors: give vectors.{0}", side));
}

}  // namespace

void validate(const EmbeddingVectorOptions& o, const models::ArchitectureOptions& arch) {
  if (!arch.has_encoder() && !o.source.empty())
    throw ConfigError("vectors.source", "does not apply without an encoder");
  if (!arch.has_encoder() && o.freezes_source()) {
    throw ConfigError("vectors.frozen", "must be none or target without an encoder");
  }
  if (arch.tied_embeddings == models::TiedEmbeddings::All && !o.source.empty() && !o.target.empty()) {
    throw ConfigError("vectors.target",
                      "must not be given beside vectors.source: with arch.tied-embeddings = all there "
                      "is one table");
  }
  const bool shared = arch.tied_embeddings == models::TiedEmbeddings::All ||
                      (arch.tied_embeddings == models::TiedEmbeddings::Decoder && o.freezes_target());
  if (shared && o.frozen != FrozenEmbeddings::None) {
    throw ConfigError("vectors.frozen",
                      "must not name a table that is also the output layer: set arch.tied-embeddings "
                      "to none");
  }
  require_vectors(o.freezes_source(), o.source, "source");
  require_vectors(o.freezes_target(), o.target, "target");
}

SidesVectors read_embedding_vectors(const EmbeddingVectorOptions& options, int64_t d_model) {
  return {.source = read_side(options.source, "vectors.source", d_model),
          .target = read_side(options.target, "vectors.target", d_model)};
}

void set_embedding_vectors(models::Model& model, const text::Tokenizers& tokenizers, const SidesVectors& given) {
  const double scale = model.options().embedding_factor();
  if (given.source) set_rows(source_table(model), *tokenizers.source, *given.source, "source", scale);
  if (given.target) set_rows(target_table(model), *tokenizers.target, *given.target, "target", scale);
}

void freeze_embeddings(models::Model& model, const EmbeddingVectorOptions& options) {
  if (options.freezes_source()) source_table(model).set_requires_grad(false);
  if (options.freezes_target()) target_table(model).set_requires_grad(false);
}

}  // namespace heed::config
