#include "heed/text/sentencepiece/status_text.h"

#include <fmt/format.h>

namespace heed::text {
namespace {

/// The position of the bracket that closes the one at `begin`; npos: none does.
size_t closing_bracket(std::string_view text, size_t begin) {
  int open = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '[') ++open;
    if (text[i] == ']' && --open == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

std::string status_text(std::string_view status) {
  const size_t source = status.find(".cc(");
  const size_t begin = source == std::string_view::npos ? source : status.find('[', source);
  const size_t end = begin == std::string_view::npos ? begin : closing_bracket(status, begin);
  if (end == std::string_view::npos) return std::string(status);
  const size_t said = status.find_first_not_of(' ', end + 1);
  if (said != std::string_view::npos) return std::string(status.substr(said));
  return fmt::format("its check `{}` failed", status.substr(begin + 1, end - begin - 1));
}

}  // namespace heed::text
