#include "paired_vector_sources.h"

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"
#include "heed/data/corpus/spooled_files.h"

namespace heed::apps {

PairedVectorSources::PairedVectorSources(const data::CorpusFiles& text, const data::TextFormat& format,
                                         const ItemFiles& items, const ModelUse& use, const OpenedTorchModel& model)
    : items_(open_items(items, use.model, model.opened.options)), has_text_(model.opened.tokenizers.source != nullptr) {
  if (!items_) return;
  if (has_text_) {
    require_source(text);
  } else if (text.has_source()) {
    throw ConfigError(text.pairs.empty() ? "source" : "pairs",
                      fmt::format("has no effect: {} reads only vectors; name their text with `target`", use.model));
  }
  data::validate(text);
  if (!data::has_stream(text)) require_pairs(data::count_pairs(text, format));
}

std::vector<translation::SourceLine> PairedVectorSources::next(const std::vector<std::string>& text) {
  std::vector<translation::SourceLine> sources;
  for (const std::string& line : text) {
    if (next_ == items_->size()) refuse("are more lines");
    sources.push_back({.text = line, .item = items_->read(next_++, has_text_)});
  }
  return sources;
}

void PairedVectorSources::finish() const {
  if (items_) require_pairs(next_);
}

void PairedVectorSources::require_pairs(int64_t pairs) const {
  if (pairs == items_->size()) return;
  refuse(pairs == 1 ? "is 1 line" : fmt::format("are {} lines", pairs));
}

void PairedVectorSources::refuse(const std::string& lines) const {
  throw InputError(
      items_->path(), 0,
      fmt::format("has {}, but there {} of text: one is needed for each line", counted(items_->size(), "item"), lines));
}

}  // namespace heed::apps
