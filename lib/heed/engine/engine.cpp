#include "heed/engine/engine.h"

#include <array>
#include <functional>
#include <variant>

#include "heed/core/error.h"
#include "heed/core/parallel.h"
#include "heed/engine/recurrent/score.h"

namespace heed::engine {
namespace {

constexpr const char* kSourceTable = "encoder.embedding.weight";
constexpr const char* kTargetTable = "decoder.embedding.weight";

EmbeddingTable embedding_table(const models::ArchitectureOptions& options, const Weights& weights,
                               const std::string& name) {
  return {.weight = weights.get(name), .scale = static_cast<float>(options.embedding_factor())};
}

std::unique_ptr<Output> build_output(const models::ArchitectureOptions& options, const Weights& weights,
                                     Precision precision) {
  const Weight weight = weights.get(weights.has("output.weight") ? "output.weight" : kTargetTable);
  Weight bias;
  if (options.output_bias) bias = weights.get("output.bias");
  auto output = std::make_unique<Output>(weight, options.output_bias ? &bias : nullptr, precision);
  weights.release(weight);  // embeddings and shortlists read a few of its rows
  return output;
}

/// Names the part of an encoder or decoder that is not supported.
struct Refusal {
  std::string_view part;

  std::optional<std::string> operator()(const models::NoEncoderOptions&) const { return std::nullopt; }
  template <class Coder>
  std::optional<std::string> operator()(const Coder& coder) const {
    if constexpr (requires(const ModelSource& source) { build(coder, source); }) {
      return of_parts(coder);
    } else {
      return "the " + std::string(part) + " " + std::string(Coder::kName);
    }
  }

 private:
  template <class Coder>
  std::optional<std::string> of_parts(const Coder& coder) const {
    if constexpr (requires { models::memory_attention_of(coder.attention); }) {
      const nn::MemoryAttentionOptions* attention = models::memory_attention_of(coder.attention);
      if (attention != nullptr && !has_source_score(attention->score)) return "this attention score";
    }
    return std::nullopt;
  }
};

/// Builds the selected encoder or decoder; null for `none`.
template <class Built, class Alternatives>
std::unique_ptr<Built> build_selected(const Alternatives& alternatives, const ModelSource& source) {
  const auto build_one = [&](const auto& options) -> std::unique_ptr<Built> {
    if constexpr (requires { build(options, source); }) {
      return build(options, source);
    } else {
      return nullptr;
    }
  };
  return std::visit(build_one, alternatives);
}

}  // namespace

std::optional<std::string> Engine::refuses(const models::ArchitectureOptions& options) {
  if (options.vectors.any()) return "a source of vectors";
  if (const auto why = std::visit(Refusal{"encoder"}, options.encoder.type)) return why;
  return std::visit(Refusal{"decoder"}, options.decoder.type);
}

Engine::Engine(const models::ArchitectureOptions& options, const models::VocabularySizes& sizes,
               const std::string& path, Precision precision, int64_t threads)
    : weights_(path, models::parameter_shapes(options, sizes)),
      precision_(precision),
      has_attention_(models::has_source_attention(options)),
      max_source_length_(models::max_source_length(options)),
      max_target_length_(models::max_target_length(options)) {
  check(!refuses(options), "a model that the engine does not take");
  const EmbeddingTable target = embedding_table(options, weights_, kTargetTable);
  const EmbeddingTable source = weights_.has(kSourceTable) ? embedding_table(options, weights_, kSourceTable) : target;
  const models::MemoryShape memory = models::memory_shape(options);
  const std::array<std::function<void()>, 3> parts{
      [&] { decoder_ = build_selected<Decoder>(options.decoder.type, {options, weights_, precision, target, memory}); },
      [&] { encoder_ = build_selected<Encoder>(options.encoder.type, {options, weights_, precision, source, memory}); },
      [&] { output_ = build_output(options, weights_, precision); }};
  parallel_chunks(threads, std::ssize(parts), 1,
                  [&](int64_t, int64_t part, int64_t) { parts[static_cast<size_t>(part)](); });
}

}  // namespace heed::engine
