#include "heed_torch/config/dependent_defaults.h"

#include <array>
#include <variant>

namespace heed::config {
namespace {

/// Whether the source is only vectors, and no text that could have embeddings.
bool has_vectors_alone(const RunOptions& options) {
  return options.corpus.has_vectors() && !options.corpus.has_source();
}

bool has_two_vocabularies(const RunOptions& options) {
  const auto* learned = std::get_if<LearnedTokenizers>(&options.text.tokenizers);
  return learned && !learned->options.joint;
}

/// A default that follows from another option: if `follows` is true for all that was chosen, `adjust` changes the
/// preset. Every option that the user gives still overwrites the preset.
struct FollowingDefault {
  bool (*follows)(const RunOptions& chosen);
  void (*adjust)(RunOptions& preset);
};

constexpr auto kFollowingDefaults = std::to_array<FollowingDefault>({
    {[](const RunOptions& chosen) { return !chosen.has_validation_text(); },
     [](RunOptions& preset) {
       preset.valid.patience = 0;
       if (const auto* best = std::get_if<training::AverageOfBest>(&preset.train.average)) {
         preset.train.average = training::AverageOfLast{.count = best->count};
       }
     }},
    {[](const RunOptions& chosen) { return chosen.train.max_tokens || chosen.train.max_epochs; },
     [](RunOptions& preset) { preset.train.max_updates.reset(); }},
    {[](const RunOptions& chosen) { return chosen.corpus.has_vectors() && !chosen.arch.vectors.any(); },
     [](RunOptions& preset) { preset.arch.vectors.type = models::ProjectedVectors{}; }},
    {[](const RunOptions& chosen) {
       return chosen.arch.has_encoder() && !std::holds_alternative<models::RnnEncoderOptions>(chosen.arch.encoder.type);
     },
     [](RunOptions& preset) {  // the encoder has no last states to start from
       auto* decoder = std::get_if<models::RnnDecoderOptions>(&preset.arch.decoder.type);
       if (decoder && !std::holds_alternative<models::ZeroState>(decoder->initial_state)) {
         decoder->initial_state = models::MeanState{};
       }
     }},
    {[](const RunOptions& chosen) { return has_two_vocabularies(chosen) || has_vectors_alone(chosen); },
     [](RunOptions& preset) {
       if (preset.arch.tied_embeddings == models::TiedEmbeddings::All)
         preset.arch.tied_embeddings = models::TiedEmbeddings::Decoder;
     }},
});

}  // namespace

void follow_choices(RunOptions& preset, const RunOptions& chosen) {
  for (const FollowingDefault& rule : kFollowingDefaults) {
    if (rule.follows(chosen)) rule.adjust(preset);
  }
}

}  // namespace heed::config
