// Converts text in other encodings to UTF-8, with ICU's converters.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace heed {

/// Whether the name means UTF-8: "utf-8", "UTF8", "utf_8" and the like.
bool is_utf8(std::string_view encoding);

/// Decodes a stream of bytes.
class TextDecoder {
 public:
  /// Throws Error if ICU does not know the encoding ("latin-1", "utf-16", "gb18030", "shift_jis", ... are known).
  explicit TextDecoder(const std::string& encoding);
  ~TextDecoder();

  /// Decodes the next `bytes` of the stream and appends them to `text`. Returns false if they are ill-formed. `last`:
  /// the stream ends after them.
  bool decode(std::string_view bytes, bool last, std::string& text);

 private:
  struct Converters;
  std::unique_ptr<Converters> converters_;
};

}  // namespace heed
