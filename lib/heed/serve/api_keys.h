// The keys that let clients use a server.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace heed::serve {

/// Only the checksums of keys are compared, so that the time of a comparison tells nothing about a key.
class ApiKeys {
 public:
  /// No keys: every client is let in.
  ApiKeys() = default;
  /// Reads one key per line. Blank lines and those that begin with # do not count. Throws FileError; InputError if
  /// there is no key.
  explicit ApiKeys(const std::string& path);

  bool required() const { return !checksums_.empty(); }
  /// Whether a client with this key is let in.
  bool allow(std::string_view key) const;

 private:
  std::unordered_set<std::string> checksums_;
};

}  // namespace heed::serve
