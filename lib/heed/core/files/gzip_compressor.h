// Compresses text for a .gz file while it is written. The bytes depend only on the text: the header has no time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace heed {

class GzipCompressor {
 public:
  GzipCompressor();
  ~GzipCompressor();
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;

  /// Adds `text` and returns the compressed bytes that are ready, often none.
  std::string pack(std::string_view text);
  /// The remaining compressed bytes.
  std::string finish();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace heed
