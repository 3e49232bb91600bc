// Completes lines of text with a language model: N prompts in, as many texts out for each as there are samples. What is
// drawn for a prompt depends on the seed, the prompt's place in the input and the sample's number alone.
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

/// Texts do not depend on any of these, except that the products of other batches are rounded otherwise: where two
/// tokens are as good as equal, the other one may win.
struct GeneratorOptions {
  int64_t batch_sentences = 64;         ///< texts made at once by a worker
  std::optional<int64_t> workers = {};  ///< threads that share the model; none: one a CPU thread, 1 on a GPU
  bool operator==(const GeneratorOptions&) const = default;
};
void describe(GeneratorOptions& o, AnyOptionVisitor auto& visit) {
  visit("batch-sentences", o.batch_sentences, "batch size: texts that a worker makes at once", between(1, 1e9));
  visit("workers", o.workers, "threads that make texts, sharing the model; none: one for each CPU thread, 1 on a GPU",
        at_least(1));
}

struct Completion {
  /// The prompt as it was given and what the model puts behind it; no line break. Spaces at the prompt's end are gone
  /// where the model goes on with the word before them; where marks join a line's tokens ("@@"), the prompt's are
  /// joined.
  std::string text;
  text::Ids ids;               ///< of what the model puts behind it, without end-of-sentence
  double log_probability = 0;  ///< natural log of p(ids, eos | prompt) under the model, whatever they were drawn from
  bool complete = true;        ///< false where the length limit cut the text off
};

class Generator {
 public:
  /// The model must be a language model and lie on `device`.
  Generator(std::shared_ptr<models::Model> model, std::shared_ptr<const text::Tokenizer> tokenizer,
            const search::SamplingOptions& sampling, const GeneratorOptions& options, at::Device device);

  /// From now on texts are made on the engine, which has the model's parameters.
  void use_engine(std::shared_ptr<const engine::Engine> engine) { engine_ = std::move(engine); }

  /// The texts of the first prompt, then those of the second, and so on. first: the place of prompts[0] in the input.
  /// Throws LineTooLong for a prompt that leaves the model no position to go on.
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
