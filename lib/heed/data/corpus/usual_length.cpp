#include "heed/data/corpus/usual_length.h"

#include <algorithm>
#include <vector>

namespace heed::data {

int64_t usual_source_length(const EncodedCorpus& corpus) {
  std::vector<int64_t> lengths;
  lengths.reserve(static_cast<size_t>(corpus.size()));
  for (int64_t pair = 0; pair < corpus.size(); ++pair) lengths.push_back(corpus.source_length(pair));
  if (lengths.empty()) return 0;
  const auto longer = static_cast<std::ptrdiff_t>(kUnusualShare * static_cast<double>(lengths.size()));
  const auto usual = lengths.end() - 1 - longer;
  std::ranges::nth_element(lengths, usual);
  return *usual;
}

}  // namespace heed::data
