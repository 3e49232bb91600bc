#include "heed/curation/files/pair_format.h"

#include "heed/core/error.h"

namespace heed::curation {

PairFormat format_of_name(std::string_view path) {
  constexpr auto kEndings = std::to_array<std::pair<std::string_view, PairFormat>>({{".jsonl", PairFormat::JsonLines},
                                                                                    {".ndjson", PairFormat::JsonLines},
                                                                                    {".json", PairFormat::JsonLines},
                                                                                    {".tmx", PairFormat::Tmx},
                                                                                    {".xlf", PairFormat::Xliff},
                                                                                    {".xliff", PairFormat::Xliff},
                                                                                    {".po", PairFormat::Po}});
  if (path.ends_with(".gz")) path.remove_suffix(3);
  for (const auto& [ending, format] : kEndings) {
    if (path.ends_with(ending)) return format;
  }
  return PairFormat::Tsv;
}

void validate(const CorpusText& corpus, const std::string& prefix) {
  data::validate(corpus.files, prefix);
  if (corpus.files.has_source()) return;
  throw ConfigError(prefix + "source",
                    "is missing: give `" + prefix + "source` and `" + prefix + "target`, or `" + prefix + "pairs`");
}

}  // namespace heed::curation
