// Compresses text for a .gz file while it is written. The bytes depend on the text alone: the header has no time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace heed {

class GzipPacker {
 public:
  GzipPacker();
  ~GzipPacker();
  GzipPacker(const GzipPacker&) = delete;
  GzipPacker& operator=(const GzipPacker&) = delete;

  /// The compressed bytes that are ready once `text` is added; often none.
  std::string pack(std::string_view text);
  /// The rest.
  std::string finish();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace heed
