// Completes lines of text with a language model: N prompts in, and for each prompt as many texts out as there are
// samples. The samples of a prompt depend only on the seed, on the prompt's place in the input and on the sample's
// number.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <c10/core/Device.h>

#include "heed/core/options.h"
#include "heed/engine/engine.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/models/model.h"
#include "heed_torch/search/sampling.h"

namespace heed::translation {

/// These options do not change the texts, with one exception. Sums in other batch sizes are rounded differently, so if
/// two tokens are almost equally probable, the other one may win.
struct GeneratorOptions {
  int64_t batch_sentences = 64;         ///< texts that a worker generates at once
  std::optional<int64_t> workers = {};  ///< threads that share the model; absent: one per CPU thread, 1 on a GPU
  bool operator==(const GeneratorOptions&) const = default;
};
void describe(GeneratorOptions& o, AnyOptionVisitor auto& visit) {
  visit("batch-sentences", o.batch_sentences, "batch size: texts that a worker generates at once", between(1, 1e9));
  visit("workers", o.workers, "threads that generate, sharing the model; none: one for each CPU thread, 1 on a GPU",
        at_least(1));
}

struct Completion {
  /// The prompt as it was given and the model's continuation; no line break. If the model continues the prompt's last
  /// word, spaces at the prompt's end are removed. If markers join a line's tokens ("@@"), the prompt's tokens are
  /// joined.
  std::string text;
  text::Ids ids;               ///< ids of the continuation, without end-of-sentence
  double log_probability = 0;  ///< natural log of p(ids, eos | prompt) under the model, even if another distribution
                               ///< was sampled from
  bool complete = true;        ///< false if the length limit ended the text
};

class Generator {
 public:
  /// The model must be a language model on `device`.
  Generator(std::shared_ptr<models::Model> model, std::shared_ptr<const text::Tokenizer> tokenizer,
            const search::SamplingOptions& sampling, const GeneratorOptions& options, at::Device device);

  /// Generates all further texts on the inference engine, which has the same parameters.
  void use_engine(std::shared_ptr<const engine::Engine> engine) { engine_ = std::move(engine); }

  /// The texts of the first prompt, then those of the second, and so on. first: the place of prompts[0] in the input.
  /// Throws LineTooLong if a prompt leaves the model no position to continue.
  std::vector<Completion> complete(std::span<const std::string> prompts, int64_t first = 0) const;

 private:
  std::unique_ptr<search::StepModel> begin_step() const;
  Completion completion(const std::string& prompt, const text::Ids& prefix, search::Hypothesis&& made) const;

  std::shared_ptr<models::Model> model_;
  std::shared_ptr<const text::Tokenizer> tokenizer_;
  search::SamplingOptions sampling_;
  GeneratorOptions options_;
  at::Device device_;
  std::shared_ptr<const engine::Engine> engine_;
};

}  // namespace heed::translation
