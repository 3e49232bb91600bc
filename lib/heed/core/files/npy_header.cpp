#include "heed/core/files/npy_header.h"

#include <charconv>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::string_view kSpace = " \t\n";

/// Parses a dictionary literal from left to right; `rest_` is the text not parsed yet.
class DictionaryReader {
 public:
  DictionaryReader(std::string_view text, const std::string& path) : rest_(text), path_(path) {}

  NpyHeader read() {
    NpyHeader header;
    std::set<std::string> keys;
    expect('{');
    while (!take('}')) {
      const std::string key = quoted();
      if (!keys.insert(key).second) fail(fmt::format("has `{}` twice", key));
      expect(':');
      read_value(key, header);
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    for (const char* key : {"descr", "fortran_order", "shape"}) {
      if (!keys.contains(key)) fail(fmt::format("lacks `{}`", key));
    }
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(path_, 0, fmt::format("is a damaged .npy file: its header {}", reason));
  }

  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpace), rest_.size())); }

  bool take(std::string_view token) {
    skip_space();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  bool take(char token) { return take(std::string_view(&token, 1)); }
  void expect(char token) {
    if (!take(token)) fail(fmt::format("lacks `{}` {}", token, place()));
  }
  std::string place() const { return rest_.empty() ? "at its end" : fmt::format("before `{}`", rest_.substr(0, 12)); }

  std::string quoted() {
    skip_space();
    if (!rest_.starts_with('\'') && !rest_.starts_with('"')) fail(fmt::format("lacks a quoted text {}", place()));
    const size_t end = rest_.find(rest_[0], 1);
    if (end == rest_.npos) fail("has a text that does not end");
    const std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  void read_value(const std::string& key, NpyHeader& header) {
    if (key == "descr") {
      if (take('[')) throw InputError(path_, 0, "is an array of records, expected one of plain numbers");
      header.dtype = quoted();
    } else if (key == "fortran_order") {
      header.fortran_order = take("True");
      if (!header.fortran_order && !take("False")) fail("has a `fortran_order` that is not True or False");
    } else if (key == "shape") {
      header.shape = sizes();
    } else {
      fail(fmt::format("has `{}`, which is not of the format", key));
    }
  }

  std::vector<int64_t> sizes() {
    std::vector<int64_t> shape;
    expect('(');
    while (!take(')')) {
      skip_space();
      int64_t size = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (error != std::errc{} || size < 0) fail("has a `shape` that is not a list of sizes");
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      shape.push_back(size);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }

  std::string_view rest_;
  const std::string& path_;
};

}  // namespace

NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& path) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto byte_at = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(text[i])); };
  if (!text.starts_with(kMagic)) throw InputError(path, 0, "is not an .npy file: it does not begin with \\x93NUMPY");
  const size_t length_at = kMagic.size() + 2;
  if (text.size() < length_at + 4) throw InputError(path, 0, "is truncated in the header of the .npy file");
  const size_t version = byte_at(kMagic.size());
  if (version < 1 || version > 3 || byte_at(kMagic.size() + 1) != 0) {
    throw InputError(
        path, 0,
        fmt::format("is a .npy file of version {}.{}, expected 1.0, 2.0 or 3.0", version, byte_at(kMagic.size() + 1)));
  }
  const size_t length_bytes = version == 1 ? 2 : 4;
  size_t length = 0;
  for (size_t i = 0; i < length_bytes; ++i) length |= byte_at(length_at + i) << (8 * i);
  const size_t begin = length_at + length_bytes;
  if (length > text.size() - begin) throw InputError(path, 0, "is truncated in the header of the .npy file");
  NpyHeader header = DictionaryReader(text.substr(begin, length), path).read();
  header.begin = begin + length;
  return header;
}

}  // namespace heed
