#include "heed/translation/translator.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <mutex>
#include <numeric>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/parallel.h"
#include "heed/core/random.h"
#include "heed/core/text/counted.h"
#include "heed/search/search_continuously.h"
#include "heed/translation/lines/line_limits.h"
#include "heed/translation/lines/lost_text.h"
#include "heed/translation/lines/protected_lines.h"
#include "heed/translation/lines/term_placement.h"
#include "heed/translation/translator_window.h"

namespace heed::translation {
namespace {

/// The number of lines translated together: small at first, so that output begins soon.
class WindowSize {
 public:
  explicit WindowSize(size_t largest) : largest_(largest), size_(std::min(kFirst, largest)) {}
  size_t operator()() const { return size_; }
  void grow() { size_ = std::min(4 * size_, largest_); }
  /// Grows as after translating the whole windows of the first `lines` lines. Returns the number of lines in these
  /// windows.
  size_t pass(size_t lines) {
    size_t passed = 0;
    for (; passed + size_ <= lines; grow()) passed += size_;
    return passed;
  }

 private:
  static constexpr size_t kFirst = 32;
  size_t largest_;
  size_t size_;
};

constexpr size_t kBatchesOfJob = 4;  // at most

/// Sentences per job. A window has several jobs, so that workers finish together, and a job is large enough for
/// continuous batching. The size does not depend on the number of workers, so the batches do not either.
size_t fixed_job_size(size_t sentences, int64_t batch_sentences) {
  constexpr size_t kJobs = 16, kFewest = 16;
  const size_t most = kBatchesOfJob * static_cast<size_t>(batch_sentences);
  return std::min(std::max((sentences + kJobs - 1) / kJobs, kFewest), most);
}

/// Sentences per job, for models whose results are bit-identical in any batch. Each worker gets about two jobs. Large
/// batches read the weights less often: each step reads them once for all its hypotheses.
size_t large_job_size(size_t sentences, int64_t batch_sentences, int64_t workers) {
  constexpr size_t kJobsOfWorker = 2, kFewest = 16;
  const auto batch = static_cast<size_t>(batch_sentences), together = static_cast<size_t>(workers);
  const auto size_with = [&](size_t jobs) { return (sentences + jobs - 1) / jobs; };
  size_t jobs = kJobsOfWorker * together;
  // Less than two batches per job would leave a small second batch.
  if (size_with(jobs) < 2 * batch) {
    while (size_with(jobs) > batch) jobs += together;
  }
  return std::clamp(size_with(jobs), kFewest, std::max(kBatchesOfJob * batch, kFewest));
}

size_t job_size(const TranslationModel& model, size_t sentences, int64_t batch_sentences, int64_t workers) {
  if (model.on_gpu()) return kBatchesOfJob * static_cast<size_t>(batch_sentences);
  return model.is_batch_invariant() ? large_job_size(sentences, batch_sentences, workers)
                                    : fixed_job_size(sentences, batch_sentences);
}

template <class T>
void drop_first(std::vector<T>& values, size_t count) {
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(count, values.size())));
}

/// Removes the target-language tag from the part's translations.
void drop_tag(TranslatedPart& part) {
  const size_t tag = part.constraints ? part.constraints->tag : 0;
  for (search::Hypothesis& hypothesis : part.hypotheses) {
    drop_first(hypothesis.ids, tag);
    drop_first(hypothesis.attention, tag);
    drop_first(hypothesis.token_log_probabilities, tag);
  }
  for (text::HeadWeights& layers : part.heads) {
    for (auto& heads : layers) {
      for (text::AlignmentWeights& rows : heads) drop_first(rows, tag);
    }
  }
}

/// Whether a hypothesis lacks a term of its part.
bool lacks_terms(const TranslatedPart& part, std::span<const search::Hypothesis> hypotheses) {
  if (!part.constraints) return false;
  return std::ranges::any_of(hypotheses, [&](const search::Hypothesis& hypothesis) {
    return hypothesis.required_log_probabilities.size() < part.constraints->required.size();
  });
}

/// Compares the numbers and placeholders of a line with those of its translations.
void note_lost_text(std::string_view line, Translation& best) {
  const auto note = [&](Translation& translation) {
    translation.loses_placeholder = loses_placeholder(line, translation.text);
    translation.loses_number = loses_number(line, translation.text);
  };
  note(best);
  for (Translation& other : best.others) note(other);
}

void drop_attention(Translation& translation) {
  translation.attention.clear();
  translation.item_attention.clear();
  translation.source_words = {};
  translation.target_words = {};
}

/// The hypotheses of several searches for a part, best first; the same tokens only once.
std::vector<search::Hypothesis> best_of(std::vector<search::Hypothesis> found, int64_t n_best) {
  std::ranges::stable_sort(found, std::greater{}, &search::Hypothesis::score);
  std::vector<search::Hypothesis> best;
  for (search::Hypothesis& hypothesis : found) {
    if (std::ssize(best) == n_best) break;
    if (std::ranges::find(best, hypothesis.ids, &search::Hypothesis::ids) == best.end())
      best.push_back(std::move(hypothesis));
  }
  return best;
}

}  // namespace

search::Room room_of(const TranslatorOptions& options, bool on_gpu) {
  return {.sentences = options.batch_sentences.value_or(on_gpu ? kGpuBatchSentences : kBatchSentences),
          .tokens = options.batch_tokens.value_or(on_gpu ? kGpuBatchTokens : kBatchTokens),
          .refill = options.refill};
}

/// Counts finished work and reports it, one caller at a time.
class Translator::Counter {
 public:
  explicit Counter(const OnProgress& on_progress) : on_progress_(on_progress) {}

  void add(int64_t lines, int64_t source_tokens, int64_t target_tokens) {
    const std::lock_guard lock(mutex_);
    progress_.lines += lines;
    progress_.source_tokens += source_tokens;
    progress_.target_tokens += target_tokens;
    progress_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (on_progress_) on_progress_(progress_);
  }

 private:
  const OnProgress& on_progress_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  TranslationProgress progress_;
};

Translator::Translator(std::shared_ptr<const TranslationModel> model, text::Tokenizers tokenizers,
                       const search::SearchOptions& search, const TranslatorOptions& options,
                       search::ReturnOptions keep)
    : model_(std::move(model)),
      tokenizers_(std::move(tokenizers)),
      search_(search),
      options_(options),
      keep_(keep),
      returns_attention_(keep.attention),
      splitting_{.max_tokens = options.max_source_length},
      constraints_(std::make_shared<const TranslationConstraints>(tokenizers_.target)),
      placeholders_(tokenizers_.placeholders) {
  search::validate(search_);
  check(model_ && tokenizers_.target, "a translator needs a model and its tokenizers");
  if (placeholders_) {
    protected_ = placeholders_->rules();
    protect({});
  }
  if (const auto limit = model_->max_source_length()) {
    splitting_.max_tokens = std::min(splitting_.max_tokens, *limit - 1);
  }
}

void Translator::split(SplitRule rule, std::optional<int64_t> usual_tokens) {
  splitting_.rule = rule;
  splitting_.usual_tokens = usual_tokens;
}

void Translator::protect(const text::ProtectedRules& further, bool restores) {
  protected_ = text::united(protected_, further);
  if (placeholders_) placeholders_ = std::make_shared<const text::Placeholders>(protected_);
  restored_.reset();
  if (!restores || !protected_.any()) return;
  restored_ = std::make_shared<const text::ProtectedText>(protected_.kinds, protected_.patterns);
  keep_.attention = true;  // it says where to put lost text
}

std::vector<Translation> Translator::translate(std::span<const SourceLine> lines, const OnProgress& on_progress) const {
  std::vector<Translation> translations;
  translations.reserve(lines.size());
  std::span<const SourceLine> rest = lines;
  const NextLines next = [&](size_t most) {
    const std::span<const SourceLine> window = rest.first(std::min(most, rest.size()));
    rest = rest.subspan(window.size());
    return std::vector<SourceLine>(window.begin(), window.end());
  };
  translate_stream(
      next, [&](Translation&& translation) { translations.push_back(std::move(translation)); }, on_progress);
  check(translations.size() == lines.size(), "every line must have a translation");
  return translations;
}

void Translator::translate_stream(const NextLines& next, const TakeTranslation& take, const OnProgress& on_progress,
                                  int64_t first_line) const {
  Counter counter(on_progress);
  WindowSize window(largest_window());
  window.pass(static_cast<size_t>(first_line - 1));
  for (;;) {
    const std::vector<SourceLine> lines = next(window());
    if (lines.empty()) return;
    for (Translation& translation : translate_window(lines, first_line, counter)) take(std::move(translation));
    first_line += std::ssize(lines);
    if (lines.size() == window()) window.grow();
  }
}

int64_t Translator::resumable_lines(int64_t lines) const {
  if (model_->is_batch_invariant()) return lines;
  return static_cast<int64_t>(WindowSize(largest_window()).pass(static_cast<size_t>(lines)));
}

std::vector<Translation> Translator::translate_window(std::span<const SourceLine> lines, int64_t first_line,
                                                      Counter& counter) const {
  Window window = prepare(lines, first_line);
  counter.add(window.blank_lines(), 0, 0);
  search(window, counter);
  return finish(window, lines);
}

/// The translations of the lines, after the search.
std::vector<Translation> Translator::finish(Window& window, std::span<const SourceLine> lines) const {
  std::vector<Translation> translations;
  for (size_t line = 0; line < lines.size(); ++line) {
    const auto forbidden = forbid_across_parts(window, line);
    translations.push_back(assemble(window.of_line(line), tokenizers_, search_, unknown_.get()));
    if (forbidden) {
      std::erase_if(translations.back().others,
                    [&](const Translation& other) { return forbidden->is_found_in(other.text); });
    }
    if (placeholders_) window.masks.unmask(line, translations.back());
    if (reader_ && window.of_line(line).empty()) translations.back().heads = reader_->every_head({});
  }
  if (rank_) rank_all(translations);
  for (size_t line = 0; line < lines.size(); ++line) finish_line(translations[line], lines[line].text);
  return translations;
}

/// Puts lost text back, and notes what is lost nevertheless.
void Translator::finish_line(Translation& translation, const std::string& line) const {
  if (restored_) restore(translation, line, *restored_);
  note_lost_text(line, translation);
  if (returns_attention_ || !keep_.attention) return;
  drop_attention(translation);
  for (Translation& other : translation.others) drop_attention(other);
}

void Translator::rank_all(std::span<Translation> translations) const {
  const int64_t workers = options_.workers.value_or(model_->default_workers());
  parallel_chunks(workers, std::ssize(translations), 1,
                  [&](int64_t, int64_t line, int64_t) { rank_(translations[static_cast<size_t>(line)]); });
}

Translator::Window Translator::prepare(std::span<const SourceLine> lines, int64_t first_line) const {
  Window window;
  if (placeholders_) {
    window.masks = masked(lines, *placeholders_);
    lines = window.masks.lines;
  }
  for (const SourceLine& line : lines) {
    if (line.has_item_alone()) {
      window.parts.push_back({.part = LinePart{.ids = {}}, .item = line.item, .hypotheses = {}});
    } else {
      for (LinePart& part : split_line(line.text, *tokenizers_.source, splitting_)) {
        window.parts.push_back({.part = std::move(part), .item = line.item, .hypotheses = {}});
      }
    }
    window.begins.push_back(window.parts.size());
  }
  add_constraints(window, lines, first_line);
  return window;
}

/// Adds constraints: the prefix to the first part of a line, and to each part the terms of its own text.
void Translator::add_constraints(Window& window, std::span<const SourceLine> lines, int64_t first_line) const {
  for (size_t line = 0; line < lines.size(); ++line) {
    const int64_t number = first_line + static_cast<int64_t>(line);
    check_prefix(lines[line].prefix, number);
    std::vector<std::string_view> texts;
    for (const TranslatedPart& part : window.of_line(line)) texts.emplace_back(part.part.text);
    const auto forbidden = constraints_->forbidden_in(texts, lines[line].prefix);
    for (size_t i = window.begins[line]; i < window.begins[line + 1]; ++i) {
      TranslatedPart& part = window.parts[i];
      window.random_keys.push_back(stream_key(static_cast<uint64_t>(number), Purpose::Search, i - window.begins[line]));
      if (i == window.begins[line]) part.prefix = lines[line].prefix;
      part.constraints = constraints_->of_part(part.part.text, part.prefix, forbidden, tokenizers_.source.get());
      if (part.constraints) check_room(*part.constraints, number);
    }
  }
}

void Translator::check_prefix(const std::string& prefix, int64_t line) {
  if (std::ssize(prefix) <= kMostBytes) return;
  throw Error(fmt::format("line {}: its prefix has {} bytes, more than the {} that are read at once", line,
                          format_count(std::ssize(prefix)), format_count(kMostBytes)));
}

void Translator::check_room(const search::SentenceConstraints& constraints, int64_t line) const {
  if (constraints.tokens() == 0) return;
  const int64_t limit = model_->begin_search()->max_length();
  if (constraints.tokens() > limit) {
    throw Error(fmt::format(
        "line {}: its prefix and terms have {} tokens, more than the {} that a translation by this model can have",
        line, constraints.tokens(), limit));
  }
  if (constraints.tokens() > kMostTokens) {
    throw Error(fmt::format("line {}: its prefix and terms have {} tokens, more than the {} that are read at once",
                            line, format_count(constraints.tokens()), format_count(kMostTokens)));
  }
}

/// A forbidden phrase may begin in one part and end in the next. The later part is then searched again, with the text
/// before it as context. Returns the forbidden phrases; null: there are none, or the line has one part.
std::shared_ptr<const search::ForbiddenPhrases> Translator::forbid_across_parts(Window& window, size_t line) const {
  const size_t first = window.begins[line], end = window.begins[line + 1];
  if (end - first < 2 || !window.parts[first].constraints || !window.parts[first].constraints->forbidden)
    return nullptr;
  const auto forbidden = window.parts[first].constraints->forbidden;
  const auto text_of = [&](size_t from, size_t count) {
    return assemble(std::span(window.parts).subspan(from, count), tokenizers_, search_, unknown_.get()).text;
  };
  search::ForbiddenPhrases::State before;
  forbidden->read_text(before, text_of(first, 1));
  size_t last = first;  // the last part with a translation
  for (size_t i = first + 1; i < end; ++i) {
    const size_t previous = text_of(last, 1).size();
    const std::string own = text_of(i, 1), added = text_of(last, i - last + 1).substr(previous);
    auto constraints = std::make_shared<search::SentenceConstraints>(*window.parts[i].constraints);
    forbidden->read_text(before, std::string_view(added).substr(0, added.size() - own.size()));
    constraints->before = before;
    if (forbidden->read_text(before, own) || forbidden->found_at_end(before)) {
      before = constraints->before;
      window.parts[i].constraints = std::move(constraints);
      search_again(window, i);
      forbidden->read_text(before, text_of(i, 1));
    }
    if (!text_of(i, 1).empty()) last = i;
  }
  return forbidden;
}

void Translator::search_again(Window& window, size_t part) const {
  model_->run_jobs(1, 1, [&](int64_t) {
    const auto running = model_->begin_search();
    const std::vector source{window.source(part)};
    search::search_continuously(
        *running, search_, keep_, room_of(options_, model_->on_gpu()), source,
        [&](search::FinishedSentence&& finished) { take_found(window.parts[part], std::move(finished.hypotheses)); });
  });
}

void Translator::take_found(TranslatedPart& part, std::vector<search::Hypothesis>&& hypotheses) const {
  part.hypotheses = std::move(hypotheses);
  part.heads.clear();
  if (reader_) read_again(part);
  drop_tag(part);
}

/// First searches without enforcing terms: most translations have them anyway, and an unconstrained search finds better
/// ones. Then searches again, with enforced terms, only the parts that lack some.
void Translator::search(Window& window, Counter& counter) const {
  const FirstSearches first = first_searches(window);
  std::vector<TermSearches> terms(window.parts.size());
  const auto count = [&](size_t part) {
    counter.add(window.starts_line(part) ? 1 : 0, window.source_tokens(part), window.target_tokens(part));
  };
  search_parts(window, first.searches, first_kept(!first.noted.empty()),
               [&](size_t part, std::vector<search::Hypothesis>&& hypotheses) {
                 if (take_first(window.parts[part], std::move(hypotheses), terms[part])) count(part);
               });
  search_terms(window, terms, count);
}

/// One search for each part, in order.
Translator::FirstSearches Translator::first_searches(const Window& window) const {
  FirstSearches first;
  first.noted.reserve(window.parts.size());
  for (size_t i = 0; i < window.parts.size(); ++i) {
    first.searches.push_back({.part = i, .constraints = window.parts[i].constraints.get()});
    if (first.searches.back().constraints == nullptr || first.searches.back().constraints->required.empty()) continue;
    first.noted.push_back(*first.searches.back().constraints);
    first.noted.back().enforced = false;
    first.searches.back().constraints = &first.noted.back();
  }
  return first;
}

/// What the first searches keep. The attention of a translation without all terms says where to place them.
search::ReturnOptions Translator::first_kept(bool terms) const {
  search::ReturnOptions keep = keep_;
  keep.attention |= keep.places && terms;
  keep.places = false;
  return keep;
}

/// Takes what the first search for a part found. False: it lacks terms.
bool Translator::take_first(TranslatedPart& part, std::vector<search::Hypothesis>&& hypotheses,
                            TermSearches& terms) const {
  if (lacks_terms(part, hypotheses)) {
    terms.constraints = term_searches(*part.constraints, hypotheses.front());
    return false;
  }
  if (!keep_.attention) {
    for (search::Hypothesis& hypothesis : hypotheses) hypothesis.attention.clear();
  }
  take_found(part, std::move(hypotheses));
  return true;
}

/// Searches the parts again that lack terms. finished: called for each of them.
void Translator::search_terms(Window& window, std::span<TermSearches> terms,
                              const std::function<void(size_t part)>& finished) const {
  std::vector<PartSearch> searches;
  for (size_t i = 0; i < terms.size(); ++i) {
    for (const search::SentenceConstraints& constraints : terms[i].constraints) searches.push_back({i, &constraints});
  }
  std::mutex mutex;
  search_parts(window, searches, keep_, [&](size_t i, std::vector<search::Hypothesis>&& hypotheses) {
    TermSearches& part = terms[searches[i].part];
    {
      const std::lock_guard lock(mutex);
      std::ranges::move(hypotheses, std::back_inserter(part.found));
      if (++part.done < part.constraints.size()) return;
    }
    take_found(window.parts[searches[i].part], best_of(std::move(part.found), search_.n_best));
    finished(searches[i].part);
  });
}

/// The constraints of the searches after one that found a translation without all terms. A sample is not chosen by its
/// score, so there is one search.
std::vector<search::SentenceConstraints> Translator::term_searches(const search::SentenceConstraints& constraints,
                                                                   const search::Hypothesis& found) const {
  if (std::holds_alternative<search::SampleMethod>(search_.method)) return {constraints};
  return constraints_of_term_searches(constraints, found, model_->begin_search()->max_length());
}

/// Calls `found` with the number and the hypotheses of each search, from several threads.
void Translator::search_parts(
    const Window& window, std::span<const PartSearch> searches, search::ReturnOptions keep,
    const std::function<void(size_t search, std::vector<search::Hypothesis>&& hypotheses)>& found) const {
  std::vector<search::SourceSentence> sources;
  for (size_t i = 0; i < searches.size(); ++i) {
    sources.push_back(window.source(searches[i].part));
    sources.back().index = static_cast<int64_t>(i);
    sources.back().constraints = searches[i].constraints;
  }
  // Longest first: the last jobs, for which other workers wait, are short.
  std::ranges::stable_sort(sources, std::greater{}, [](const auto& source) { return source.length(); });
  const int64_t workers = options_.workers.value_or(model_->default_workers());
  const search::Room room = room_of(options_, model_->on_gpu());
  const size_t size = job_size(*model_, sources.size(), room.sentences, workers);
  const auto jobs = static_cast<int64_t>((sources.size() + size - 1) / size);
  model_->run_jobs(workers, jobs, [&](int64_t job) {
    const auto running = model_->begin_search();
    const size_t begin = static_cast<size_t>(job) * size;
    const auto waiting = std::span(sources).subspan(begin, std::min(size, sources.size() - begin));
    search::search_continuously(*running, search_, keep, room, waiting, [&](search::FinishedSentence&& finished) {
      found(static_cast<size_t>(finished.index), std::move(finished.hypotheses));
    });
  });
}

void Translator::read_again(TranslatedPart& part) const {
  for (search::Hypothesis& hypothesis : part.hypotheses) {
    SentenceAttention read = reader_->read({0, part.part.ids, part.item.get()}, hypothesis.ids);
    hypothesis.attention = std::move(read.weights);
    part.heads.push_back(std::move(read.heads));
  }
}

}  // namespace heed::translation
