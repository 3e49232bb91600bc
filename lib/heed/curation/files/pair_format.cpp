#include "heed/curation/files/pair_format.h"

#include "heed/core/error.h"

namespace heed::curation {

PairFormat format_of_name(std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  for (const std::string_view ending : {".jsonl", ".ndjson", ".json"}) {
    if (path.ends_with(ending)) return PairFormat::JsonLines;
  }
  return path.ends_with(".tmx") ? PairFormat::Tmx : PairFormat::Tsv;
}

void validate(const CorpusText& corpus, const std::string& prefix) {
  data::validate(corpus.files, prefix);
  if (corpus.files.has_source()) return;
  throw ConfigError(prefix + "source",
                    "is missing: give `" + prefix + "source` and `" + prefix + "target`, or `" + prefix + "pairs`");
}

}  // namespace heed::curation
