#include "heed/translation/generator.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/search/search_continuously.h"
#include "heed/translation/lines/assemble.h"
#include "heed/translation/lines/line_limits.h"

namespace heed::translation {
namespace {

search::SearchOptions search_options(const GeneratorOptions& options) {
  search::SearchOptions search{.beam = 1,
                               .length_penalty = search::NoPenalty{},
                               .max_length_factor = 0,
                               .max_length_constant = options.max_length,
                               .min_length = 0,
                               .unknown = options.unknown};
  if (const auto* sample = std::get_if<SampleOptions>(&options.method)) {
    search.method = search::SampleMethod{.draw = sample->draw, .seed = sample->seed};
  }
  return search;
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

Generator::Generator(std::shared_ptr<const TranslationModel> model, std::shared_ptr<const text::Tokenizer> tokenizer,
                     const GeneratorOptions& options)
    : model_(std::move(model)), tokenizer_(std::move(tokenizer)), options_(options) {
  check(model_ && tokenizer_, "a generator needs a language model and its tokenizer");
  if (const int64_t longest = model_->begin_search()->max_length(); longest < std::numeric_limits<int64_t>::max()) {
    positions_.target = longest + 1;  // one more for bos
  }
}

std::vector<search::SentenceConstraints> Generator::encode(std::span<const std::string> prompts) const {
  std::vector<search::SentenceConstraints> encoded;
  for (const std::string& prompt : prompts) {
    const size_t place = encoded.size();
    encoded.push_back({.prefix = encode_line(*tokenizer_, prompt, place, LineTooLong::Side::Target), .prompt = true});
    check_length(positions_, place, 0, std::ssize(encoded.back().prefix) + 1);
  }
  return encoded;
}

std::vector<Completion> Generator::complete(std::span<const std::string> prompts, int64_t first) const {
  const std::vector<search::SentenceConstraints> encoded = encode(prompts);
  const auto samples = static_cast<size_t>(options_.samples());
  std::vector<search::SourceSentence> texts;
  for (size_t i = 0; i < prompts.size() * samples; ++i) {
    texts.push_back({.index = static_cast<int64_t>(i),
                     .ids = {},
                     .constraints = &encoded[i / samples],
                     .random_key = static_cast<uint64_t>(first) + i / samples,
                     .first_sample = i % samples});
  }
  std::vector<Completion> made(texts.size());
  const search::SearchOptions search = search_options(options_);
  const search::Room room{.sentences = options_.batch_sentences, .tokens = options_.batch_sentences};
  const auto size = static_cast<size_t>(options_.batch_sentences);
  const auto jobs = static_cast<int64_t>((texts.size() + size - 1) / size);
  model_->run_jobs(options_.workers.value_or(model_->default_workers()), jobs, [&](int64_t job) {
    const auto running = model_->begin_search();
    const size_t begin = static_cast<size_t>(job) * size;
    const auto waiting = std::span(texts).subspan(begin, std::min(size, texts.size() - begin));
    search::search_continuously(
        *running, search, {.token_scores = true}, room, waiting, [&](search::FinishedSentence&& finished) {
          const auto i = static_cast<size_t>(finished.index);
          made[i] =
              completion(prompts[i / samples], encoded[i / samples].prefix, std::move(finished.hypotheses.front()));
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
  const auto end = static_cast<double>(made.token_log_probabilities.back());
  return {.text = std::move(whole),
          .ids = std::move(made.ids),
          .log_probability = made.log_probability - (made.complete ? 0 : end),
          .complete = made.complete && !made.ended_by_rules};
}

}  // namespace heed::translation
