#include "heed/data/encoded/document_frequencies.h"

#include "heed/text/tokenizer.h"

namespace heed::data {

std::vector<int64_t> source_document_frequencies(const EncodedCorpus& corpus, int64_t vocabulary) {
  std::vector<int64_t> lines(static_cast<size_t>(vocabulary), 0);
  std::vector<int64_t> last_seen(lines.size(), -1);  // the last line that counted the token
  for (int64_t pair = 0; pair < corpus.size(); ++pair) {
    for (const int32_t id : corpus.source_ids(pair)) {
      const auto at = static_cast<size_t>(id);
      if (last_seen.at(at) == pair) continue;
      last_seen[at] = pair;
      ++lines[at];
    }
  }
  lines.at(text::kUnk) = 0;
  lines.at(text::kEos) = corpus.size();
  return lines;
}

}  // namespace heed::data
