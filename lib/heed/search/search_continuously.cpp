#include "heed/search/search_continuously.h"

#include <algorithm>

namespace heed::search {
namespace {

/// Decides which waiting sentences fit into the running batch.
class Admission {
 public:
  Admission(const Room& room, std::span<const SourceSentence> waiting) : room_(room), waiting_(waiting) {}

  bool empty() const { return waiting_.empty(); }

  /// The sentences to admit now; none while too little of the batch is free.
  std::span<const SourceSentence> next(int64_t running) {
    if (running == 0) width_ = 0;
    size_t count = 0;
    int64_t width = width_;
    while (count < waiting_.size()) {
      const int64_t wider = std::max(width, waiting_[count].length() + 1);
      const int64_t sentences = running + static_cast<int64_t>(count) + 1;
      if (sentences > 1 && (sentences > room_.sentences || sentences * wider > room_.tokens)) break;
      width = wider;
      ++count;
    }
    const auto whole = static_cast<double>(running + static_cast<int64_t>(count));
    const bool all_wait_fits = count == waiting_.size();
    if (count == 0 || (running > 0 && !all_wait_fits && static_cast<double>(count) < room_.refill * whole)) return {};
    if (running > 0 && room_.refill >= 1) return {};
    width_ = width;
    const auto admitted = waiting_.first(count);
    waiting_ = waiting_.subspan(count);
    return admitted;
  }

 private:
  Room room_;
  std::span<const SourceSentence> waiting_;
  int64_t width_ = 0;  // the longest source in the batch, with end-of-sentence
};

}  // namespace

void search_continuously(BeamModel& model, const SearchOptions& options, ReturnOptions keep, const Room& room,
                         std::span<const SourceSentence> sources, const std::function<void(FinishedSentence&&)>& done) {
  BeamSearch search(model, options, keep);
  Admission admission(room, sources);
  while (!admission.empty() || search.running() > 0) {
    search.admit(admission.next(search.running()));
    for (FinishedSentence& finished : search.advance()) done(std::move(finished));
  }
}

}  // namespace heed::search
