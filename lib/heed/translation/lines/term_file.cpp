#include "heed/translation/lines/term_file.h"

#include <array>
#include <string_view>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"

namespace heed::translation {

bool TermFile::next(std::string& source, std::string& target) {
  for (std::string line; reader_.next(line);) {
    if (strip(line).empty()) continue;
    const size_t tab = line.find('\t');
    if (tab == line.npos) fail("expected SOURCE TAB TARGET, found no tab");
    if (line.find('\t', tab + 1) != line.npos) fail("expected SOURCE TAB TARGET, found several tabs");
    source = strip(std::string_view(line).substr(0, tab));
    target = strip(std::string_view(line).substr(tab + 1));
    if (source.empty()) fail("the source term is blank");
    if (target.empty()) fail("the target term is blank");
    const std::array<std::string_view, 2> fields{source, target};
    if (reader_.line_number() == 1) shape_.add_first(fields, reader_.path() + ":1");
    shape_.add(fields);
    return true;
  }
  return false;
}

void TermFile::fail(const std::string& message) const {
  throw InputError(reader_.path(), reader_.line_number(), message);
}

}  // namespace heed::translation
