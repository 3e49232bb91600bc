// The text of an XML file, block by block, and text that XML can hold.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "heed/core/files/unpacked_file.h"
#include "heed/core/text/text_decoder.h"

namespace heed::curation {

/// Reads a file, which may be compressed, in UTF-8, UTF-16 or the encoding that its XML declaration names.
class XmlText {
 public:
  /// name: of the file, for messages. Throws FileError.
  XmlText(const std::string& path, const std::string& name) : name_(name), file_(path, name) {}

  /// Appends the next block as UTF-8, which may have ill-formed parts. Returns false at the end. Throws InputError for
  /// damaged compressed data, and for text of another encoding than the declared one.
  bool append(std::string& text);

 private:
  std::string read();
  void begin(const std::string& bytes);

  std::string name_;
  UnpackedFile file_;
  std::optional<TextDecoder> decoder_;
  bool begun_ = false;
};

/// Replaces the control characters that XML 1.0 cannot hold, even as references, by U+FFFD. Returns whether there were
/// any. text: well-formed UTF-8.
bool replace_characters_without_xml(std::string& text);

}  // namespace heed::curation
