#include "heed/metrics/references.h"

#include <utility>

#include "heed/core/error.h"

namespace heed::metrics {

References References::from_files(std::vector<std::vector<std::string>> files) {
  check(!files.empty(), "a corpus needs a reference");
  References references(std::move(files));
  const auto& texts = references.texts_;
  for (const auto& file : texts) check(file.size() == texts[0].size(), "references must have as many lines each");
  for (size_t i = 0; i < texts[0].size(); ++i) {
    for (const auto& file : texts) references.views_.emplace_back(file[i]);
    references.begins_.push_back(references.views_.size());
  }
  return references;
}

References References::from_lines(std::vector<std::vector<std::string>> lines) {
  References references(std::move(lines));
  for (const auto& line : references.texts_) {
    check(!line.empty(), "every line needs a reference");
    references.views_.insert(references.views_.end(), line.begin(), line.end());
    references.begins_.push_back(references.views_.size());
  }
  return references;
}

std::optional<int64_t> References::count() const {
  const size_t first = size() > 0 ? (*this)[0].size() : 0;
  for (size_t i = 0; i < size(); ++i) {
    if ((*this)[i].size() != first) return std::nullopt;
  }
  return static_cast<int64_t>(first);
}

}  // namespace heed::metrics
