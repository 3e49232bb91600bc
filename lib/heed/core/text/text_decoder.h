// Text of other encodings as UTF-8 (by ICU's converters).
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace heed {

/// Whether this names UTF-8 itself: "utf-8", "UTF8", "utf_8" and the like.
bool is_utf8(std::string_view encoding);

/// Decodes a stream of bytes.
class TextDecoder {
 public:
  /// Throws Error for an encoding that ICU does not know by this name ("latin-1", "utf-16", "gb18030", "shift_jis",
  /// ...).
  explicit TextDecoder(const std::string& encoding);
  ~TextDecoder();

  /// Appends to `text` what `bytes` mean behind those given before; false where they are ill-formed. `last`: no more
  /// will come.
  bool decode(std::string_view bytes, bool last, std::string& text);

 private:
  struct Converters;
  std::unique_ptr<Converters> converters_;
};

}  // namespace heed
