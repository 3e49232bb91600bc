#include "heed/data/encoded/source_statistics.h"

#include <numeric>

#include "heed/data/encoded/encoded_corpus.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

void count_length(int64_t tokens, LengthCounts& counts) {
  const auto place = static_cast<size_t>(tokens);
  if (place >= counts.size()) counts.resize(place + 1);
  ++counts[place];
}

int64_t usual_source_length(const LengthCounts& counts) {
  const auto all = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  auto may_be_longer = static_cast<int64_t>(kUnusualShare * static_cast<double>(all));
  for (int64_t tokens = std::ssize(counts) - 1; tokens > 0; --tokens) {
    may_be_longer -= counts[static_cast<size_t>(tokens)];
    if (may_be_longer < 0) return tokens;
  }
  return 0;
}

int64_t usual_source_length(const EncodedCorpus& corpus) {
  LengthCounts counts;
  for (int64_t pair = 0; pair < corpus.size(); ++pair) count_length(corpus.source_length(pair), counts);
  return usual_source_length(counts);
}

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
