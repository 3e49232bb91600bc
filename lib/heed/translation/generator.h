// Completes lines of text with a language model: N prompts in, and for each prompt as many texts out as there are
// samples. A prompt is a prefix of the search that does not count (sentence_constraints.h). The samples of a prompt
// depend only on the seed, on the prompt's place in the input and on the sample's number.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "heed/core/options.h"
#include "heed/search/drawing.h"
#include "heed/search/hypothesis.h"
#include "heed/search/search_options.h"
#include "heed/search/sentence_constraints.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/line_limits.h"
#include "heed/translation/translation_model.h"

namespace heed::translation {

struct SampleOptions {
  static constexpr std::string_view kName = "sample";
  search::DrawOptions draw = {};
  int64_t seed = 1;     ///< the samples depend only on the seed, the prompt's index and the sample's number
  int64_t samples = 1;  ///< for each prompt
  bool operator==(const SampleOptions&) const = default;
};
void describe(SampleOptions& o, AnyOptionVisitor auto& visit) {
  describe(o.draw, visit);
  visit("seed", o.seed, "seed of the sampling", at_least(0));
  visit("samples", o.samples, "texts sampled for each prompt, one below the other", between(1, 1e9));
}

/// Always the most probable token; ties: the lower token id.
struct GreedyOptions {
  static constexpr std::string_view kName = "greedy";
  bool operator==(const GreedyOptions&) const = default;
};
void describe(GreedyOptions&, AnyOptionVisitor auto&) {}

struct GeneratorOptions {
  std::variant<SampleOptions, GreedyOptions> method = {};
  int64_t max_length = 100;  ///< tokens after the prompt, at most search::kLongestTranslation; longer texts are
                             ///< truncated
  bool unknown = false;      ///< whether the token for unknown words may be produced
  /// Texts that a worker generates at once. It does not change them, with one exception. Sums in other batch sizes are
  /// rounded differently, so if two tokens are almost equally probable, the other one may win.
  int64_t batch_sentences = 64;
  std::optional<int64_t> workers = {};  ///< threads that share the model; absent: one per CPU thread, 1 on a GPU
  bool operator==(const GeneratorOptions&) const = default;

  int64_t samples() const {
    const auto* sample = std::get_if<SampleOptions>(&method);
    return sample ? sample->samples : 1;
  }
};
void describe(GeneratorOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("method", o.method, "sample each token (sample), or take the most probable one (greedy)");
  visit("max-length", o.max_length,
        "most tokens that are added to a prompt, never above 100,000; a text that has not ended by then is truncated",
        between(1, 1e9));
  visit("unknown", o.unknown, "allow the token for unknown words in texts");
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
                               ///< was sampled from; without eos if the text is truncated
  bool complete = true;        ///< false if the length limit ended the text
};

class Generator {
 public:
  /// The model must be a language model.
  Generator(std::shared_ptr<const TranslationModel> model, std::shared_ptr<const text::Tokenizer> tokenizer,
            const GeneratorOptions& options);

  /// The texts of the first prompt, then those of the second, and so on. first: the place of prompts[0] in the input.
  /// Throws LineTooLong if the model has too few positions for a prompt.
  std::vector<Completion> complete(std::span<const std::string> prompts, int64_t first = 0) const;

 private:
  std::vector<search::SentenceConstraints> encode(std::span<const std::string> prompts) const;
  Completion completion(const std::string& prompt, const text::Ids& prefix, search::Hypothesis&& made) const;

  std::shared_ptr<const TranslationModel> model_;
  std::shared_ptr<const text::Tokenizer> tokenizer_;
  GeneratorOptions options_;
  ModelPositions positions_;
};

}  // namespace heed::translation
