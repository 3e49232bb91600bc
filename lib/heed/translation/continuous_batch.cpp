// Continuous batching of lines that come one by one: Translator::translate_continuously().
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "heed/search/beam_search.h"
#include "heed/translation/translator.h"
#include "heed/translation/translator_window.h"

namespace heed::translation {

/// The lines that are translated together, and the search for their parts.
class Translator::ContinuousBatch {
 public:
  ContinuousBatch(const Translator& translator, const TakeFinishedLine& take)
      : translator_(translator),
        take_(take),
        model_(translator.model_->begin_search()),
        search_(*model_, translator.search_, translator.first_kept(true)),
        most_(room_of(translator.options_, translator.model_->on_gpu())) {}

  bool empty() const { return running_.empty() && waiting_.empty(); }
  /// Lines that may join now.
  size_t room() const {
    const int64_t free = most_.sentences - std::ssize(running_);
    return waiting_.empty() && free > 0 ? static_cast<size_t>(free) : 0;
  }

  /// Adds lines; those that are blank are finished.
  void add(std::vector<SourceLine> lines) {
    for (SourceLine& line : lines) {
      const auto added = std::make_shared<Line>(Line{.number = count_++, .lines = {std::move(line)}});
      added->window = translator_.prepare(added->lines, 1);
      added->first = translator_.first_searches(added->window);
      added->terms.resize(added->window.parts.size());
      added->left = added->window.parts.size();
      for (size_t part = 0; part < added->left; ++part) waiting_.push_back({added, part});
      if (added->left == 0) finish(*added);
    }
  }

  /// Runs a step of the search, and finishes lines whose parts are all translated.
  void advance() {
    admit();
    if (search_.running() == 0) return;  // all lines were blank
    for (search::FinishedSentence& found : search_.advance()) {
      const auto at = running_.find(found.index);
      const auto [line, part] = at->second;
      running_.erase(at);
      running_tokens_ -= line->window.source_tokens(part);
      translator_.take_first(line->window.parts[part], std::move(found.hypotheses), line->terms[part]);
      if (--line->left == 0) finish(*line);
    }
  }

 private:
  struct Line {
    size_t number;
    std::vector<SourceLine> lines;  // one
    Window window = {};
    FirstSearches first = {};
    std::vector<TermSearches> terms = {};
    size_t left = 0;  // parts that are not translated
  };
  struct Part {
    std::shared_ptr<Line> line;
    size_t part;
  };

  /// Lets parts that wait join the search while there is room.
  void admit() {
    std::vector<search::SourceSentence> sources;
    while (!waiting_.empty() && std::ssize(running_) < most_.sentences) {
      const auto& [line, part] = waiting_.front();
      const int64_t tokens = line->window.source_tokens(part);
      if (!running_.empty() && running_tokens_ + tokens > most_.tokens) break;
      search::SourceSentence& source = sources.emplace_back(line->window.source(part));
      source.index = parts_++;
      source.constraints = line->first.searches[part].constraints;
      running_tokens_ += tokens;
      running_.emplace(source.index, std::move(waiting_.front()));
      waiting_.pop_front();
    }
    search_.admit(sources);
  }

  void finish(Line& line) {
    translator_.search_terms(line.window, line.terms, [](size_t) {});
    FinishedLine finished{.number = line.number, .translation = {}};
    for (size_t part = 0; part < line.window.parts.size(); ++part) {
      finished.source_tokens += line.window.source_tokens(part);
      finished.target_tokens += line.window.target_tokens(part);
    }
    finished.translation = std::move(translator_.finish(line.window, line.lines).front());
    take_(std::move(finished));
  }

  const Translator& translator_;
  const TakeFinishedLine& take_;
  std::unique_ptr<search::BeamModel> model_;
  search::BeamSearch search_;
  search::Room most_;
  std::deque<Part> waiting_;         // parts outside the search
  std::map<int64_t, Part> running_;  // parts in the search, by the index of their sentence
  int64_t running_tokens_ = 0;
  int64_t parts_ = 0;  // that were in the search
  size_t count_ = 0;   // of lines
};

void Translator::translate_continuously(const NextLines& next, const TakeFinishedLine& take) const {
  ContinuousBatch batch(*this, take);
  for (;;) {
    std::vector<SourceLine> lines = next(batch.room());
    if (lines.empty() && batch.empty()) return;
    batch.add(std::move(lines));
    batch.advance();
  }
}

}  // namespace heed::translation
