#include "heed/core/files/checksum.h"

#include <openssl/evp.h>

#include <algorithm>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/mapped_file.h"

namespace heed {
namespace {

constexpr size_t kStretch = size_t{16} << 20;  // bytes of a file in memory at a time

}  // namespace

struct Sha256::Context {
  EVP_MD_CTX* digest = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(digest); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  check(EVP_DigestInit_ex(context_->digest, EVP_sha256(), nullptr) == 1, "SHA-256 is not available");
}
Sha256::~Sha256() = default;

void Sha256::update(const void* bytes, size_t count) {
  check(EVP_DigestUpdate(context_->digest, bytes, count) == 1, "SHA-256 failed");
}

namespace {

std::string ended(EVP_MD_CTX* context) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  check(EVP_DigestFinal_ex(context, digest, &length) == 1, "SHA-256 failed");
  std::string text;
  for (unsigned int i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace

std::string Sha256::hex() { return ended(context_->digest); }

std::string Sha256::hex_so_far() const {
  const Context copy;
  check(EVP_MD_CTX_copy_ex(copy.digest, context_->digest) == 1, "SHA-256 failed");
  return ended(copy.digest);
}

std::string sha256(std::string_view content) {
  Sha256 digest;
  digest.update(content.data(), content.size());
  return digest.hex();
}

std::string sha256_of_file(const std::string& path) {
  const MappedFile file(path);
  Sha256 digest;
  auto rest = file.bytes();
  while (!rest.empty()) {
    const auto stretch = rest.first(std::min(rest.size(), kStretch));
    digest.update(stretch.data(), stretch.size());
    file.release(stretch);  // so that a large file does not fill the memory
    rest = rest.subspan(stretch.size());
  }
  return digest.hex();
}

}  // namespace heed
