#include "heed/curation/files/xml_text.h"

#include <algorithm>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"

namespace heed::curation {
namespace {

constexpr size_t kReadAtOnce = 1 << 16;
constexpr size_t kDeclaration = 512;  // bytes that have the XML declaration

}  // namespace

bool XmlText::append(std::string& text) {
  std::string bytes = read();
  if (!begun_) {
    // The first reads may be short.
    for (std::string more; bytes.size() < kDeclaration && !(more = read()).empty();) bytes += more;
    begin(bytes);
  }
  begun_ = true;
  const bool last = bytes.empty();
  const size_t before = text.size();
  if (!decoder_) {
    text += bytes;
  } else if (!decoder_->decode(bytes, last, text)) {
    throw InputError(name_, 0, "is not text of the encoding that it declares");
  }
  return !last || text.size() > before;
}

std::string XmlText::read() {
  std::string bytes(kReadAtOnce, '\0');
  bytes.resize(file_.read(bytes.data(), bytes.size()));
  return bytes;
}

/// Finds the encoding: by a byte-order mark, or by `encoding="..."` in the XML declaration.
void XmlText::begin(const std::string& bytes) {
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
    decoder_.emplace("utf-16");
    return;
  }
  const std::string_view head = std::string_view(bytes).substr(0, std::min(bytes.find("?>"), bytes.size()));
  const size_t found = head.find("encoding=");
  if (!head.starts_with("<?xml") || found == std::string_view::npos || found + 10 >= head.size()) return;
  const char quote = head[found + 9];
  const std::string encoding(head.substr(found + 10, head.find(quote, found + 10) - found - 10));
  if (!is_utf8(encoding) && lower(encoding) != "us-ascii") decoder_.emplace(encoding);
}

bool replace_characters_without_xml(std::string& text) {
  const auto is_refused = [](std::string_view character) {
    const auto byte = static_cast<unsigned char>(character[0]);
    const bool is_control = byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
    return is_control || character == "\uFFFE" || character == "\uFFFF";
  };
  const auto all = characters(text);
  if (std::ranges::none_of(all, is_refused)) return false;
  std::string replaced;
  for (const std::string_view character : all) replaced += is_refused(character) ? "\uFFFD" : character;
  text = std::move(replaced);
  return true;
}

}  // namespace heed::curation
