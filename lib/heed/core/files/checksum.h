// SHA-256 in lower-case hexadecimal, as printed by `sha256sum`.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace heed {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void update(const void* bytes, size_t count);
  /// The digest of all bytes. Call it once, at the end.
  std::string hex();
  /// The digest of all bytes so far; more bytes may be added.
  std::string hex_so_far() const;

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

std::string sha256(std::string_view content);
/// Throws FileError.
std::string sha256_of_file(const std::string& path);

}  // namespace heed
