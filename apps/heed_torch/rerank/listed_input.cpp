#include "rerank/listed_input.h"

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"

namespace heed::apps {

ListedInput::ListedInput(const std::string& lists, const std::string& source, const std::string& reference,
                         InvalidText invalid)
    : lists_(lists, invalid) {
  if (!source.empty()) source_.emplace(source, invalid);
  if (!reference.empty()) reference_.emplace(reference, invalid);
}

void ListedInput::require_same_end(const LineReader& file, bool has_line, bool has_list) const {
  if (has_line == has_list) return;
  if (has_line) {
    throw InputError(lists_.path(), 0,
                     fmt::format("ends with the translations of {}, but {} has more",
                                 counted(file.line_number() - 1, "line"), file.path()));
  }
  throw InputError(
      file.path(), 0,
      fmt::format("has {}, but {} has translations of more lines", counted(file.line_number(), "line"), lists_.path()));
}

bool ListedInput::next(ListedLine& line) {
  const bool has_list = lists_.next(line.list);
  if (source_) require_same_end(*source_, source_->next(line.source), has_list);
  if (reference_) require_same_end(*reference_, reference_->next(line.reference), has_list);
  return has_list;
}

}  // namespace heed::apps
