#include "heed_torch/translation/generator.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/translation/lines/assemble.h"
#include "heed_torch/translation/engine_step.h"
#include "heed_torch/translation/evaluation_mode.h"
#include "heed_torch/translation/lines/jobs.h"
#include "heed_torch/translation/lines/line_length.h"
#include "heed_torch/translation/model_step.h"

namespace heed::translation {
namespace {

uint64_t seed_of(const search::SamplingOptions& sampling) {
  const auto* draws = std::get_if<search::SampleOptions>(&sampling.method);
  return draws ? static_cast<uint64_t>(draws->seed) : 0;
}

bool ends_with_space(std::string_view text) { return strip_right(text).size() < text.size(); }

/// The prompt as it was written. If markers join a line's tokens ("@@"), the prompt is joined like decoded text.
std::string shown(const text::Tokenizer& tokenizer, const std::string& prompt) {
  const std::vector<std::string> words = tokenizer.line_words(prompt).words;
  if (std::ranges::equal(words, split_whitespace(prompt))) return prompt;
  return fmt::format("{}", fmt::join(words, " "));
}

/// Appends `added` to the prompt. The prompt's tokens spell `read`, which may lack a space at the prompt's end. If the
/// added text starts with a space, that is this space. If it does not, it continues the prompt's last word, and the
/// space is removed.
std::string joined(std::string prompt, std::string_view read, std::string_view added) {
  if (ends_with_space(prompt) && !ends_with_space(read) && !added.empty()) {
    if (added.starts_with(' '))
      added.remove_prefix(1);
    else
      prompt.resize(strip_right(prompt).size());
  }
  return prompt.append(added);
}

}  // namespace

Generator::Generator(std::shared_ptr<models::Model> model, std::shared_ptr<const text::Tokenizer> tokenizer,
                     const search::SamplingOptions& sampling, const GeneratorOptions& options, at::Device device)
    : model_(std::move(model)),
      tokenizer_(std::move(tokenizer)),
      sampling_(sampling),
      options_(options),
      device_(device) {
  check(model_ && !model_->encoder && tokenizer_, "a generator needs a language model and its tokenizer");
}

std::unique_ptr<search::StepModel> Generator::begin_step() const {
  if (engine_) return std::make_unique<EngineStep>(engine_);
  return std::make_unique<ModelStep>(model_, device_);
}

std::vector<Completion> Generator::complete(std::span<const std::string> prompts, int64_t first) const {
  const EvaluationMode evaluation(*model_);
  const auto samples = static_cast<size_t>(sampling_.samples());
  std::vector<text::Ids> prefixes;
  std::vector<search::Prompt> texts;
  for (const std::string& prompt : prompts) {
    prefixes.push_back(encode_line(*tokenizer_, prompt, prefixes.size(), LineTooLong::Side::Target));
    check_length(*model_, prefixes.size() - 1, 0, std::ssize(prefixes.back()) + 1);  // one more for bos
  }
  for (size_t i = 0; i < prompts.size() * samples; ++i) {
    const uint64_t place = static_cast<uint64_t>(first) + i / samples;
    texts.push_back({.index = static_cast<int64_t>(i),
                     .prefix = prefixes[i / samples],
                     .random = RandomStream(seed_of(sampling_), Purpose::Search, place, i % samples)});
  }
  std::vector<Completion> made(texts.size());
  const auto size = static_cast<size_t>(options_.batch_sentences);
  const auto jobs = static_cast<int64_t>((texts.size() + size - 1) / size);
  run_jobs(worker_count(options_.workers, device_), jobs, [&](int64_t job) {
    const auto step = begin_step();
    const size_t begin = static_cast<size_t>(job) * size;
    const auto part = std::span(texts).subspan(begin, std::min(size, texts.size() - begin));
    search::sample_all(*step, sampling_, options_.batch_sentences, part, [&](search::FinishedText&& finished) {
      const auto place = static_cast<size_t>(finished.index);
      made[place] = completion(prompts[place / samples], prefixes[place / samples], std::move(finished.hypothesis));
    });
  });
  return made;
}

Completion Generator::completion(const std::string& prompt, const text::Ids& prefix, search::Hypothesis&& made) const {
  text::Ids all = prefix;
  all.insert(all.end(), made.ids.begin(), made.ids.end());
  const std::string begin = line_of(*tokenizer_, prefix);
  std::string whole = line_of(*tokenizer_, all);
  if (whole.starts_with(begin)) {
    whole = joined(shown(*tokenizer_, prompt), begin, std::string_view(whole).substr(begin.size()));
  }
  return {.text = std::move(whole),
          .ids = std::move(made.ids),
          .log_probability = made.log_probability,
          .complete = made.complete};
}

}  // namespace heed::translation
