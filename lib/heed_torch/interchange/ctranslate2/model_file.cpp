#include "heed_torch/interchange/ctranslate2/model_file.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/mapped_file.h"
#include "heed/core/text/unicode.h"
#include "heed_torch/interchange/ctranslate2/model_file_types.h"

namespace heed::interchange {
namespace {

using at::Tensor;
using checkpoint::NamedTensors;

constexpr size_t kLongestName = 1000;
constexpr uint8_t kMostDimensions = 8;

/// Reads a file's bytes from the first to the last.
class Cursor {
 public:
  Cursor(const std::string& path, std::span<const std::byte> bytes) : path_(path), rest_(bytes) {}

  [[noreturn]] void refuse(const std::string& what) const { throw CheckpointError(path_, what); }

  std::span<const std::byte> take(uint64_t count) {
    if (count > rest_.size()) refuse("ends too soon: it is truncated or damaged");
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  std::string name() {
    const auto length = number<uint16_t>();
    const auto bytes = take(length);
    if (length == 0 || bytes.back() != std::byte{0}) refuse("has a name that does not end with 0: it is damaged");
    std::string name(reinterpret_cast<const char*>(bytes.data()), length - size_t{1});
    if (name.size() > kLongestName) refuse(fmt::format("has a name of {} bytes: it is damaged", name.size()));
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
    if (name.empty() || std::ranges::any_of(name, is_control) || first_invalid_utf8(name)) {
      refuse("has a name that is not text: it is damaged");
    }
    return name;
  }

  void require_end() const {
    if (!rest_.empty()) refuse(fmt::format("has {} bytes after its end: it is damaged", rest_.size()));
  }

 private:
  const std::string& path_;
  std::span<const std::byte> rest_;
};

/// The number of bytes of a tensor of this shape, if it is what the file says.
uint64_t byte_count(const Cursor& cursor, const std::string& name, const std::vector<int64_t>& shape, uint64_t element,
                    uint64_t said) {
  uint64_t count = element;
  for (const int64_t size : shape) {
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(size), &count)) count = ~uint64_t{0};
  }
  // CTranslate2 counts in 32 bits, so larger tensors lose the upper bits.
  if (static_cast<uint32_t>(count) != said || count == ~uint64_t{0}) {
    cursor.refuse(fmt::format("gives `{}` {} bytes, which do not fit its shape and dtype", name, said));
  }
  return count;
}

Tensor read_tensor(Cursor& cursor, const std::string& name) {
  const auto dimensions = cursor.number<uint8_t>();
  if (dimensions > kMostDimensions) {
    cursor.refuse(fmt::format("gives `{}` {} dimensions: it is damaged", name, dimensions));
  }
  std::vector<int64_t> shape;
  for (uint8_t i = 0; i < dimensions; ++i) shape.push_back(cursor.number<uint32_t>());
  const auto type = cursor.number<uint8_t>();
  if (type >= kModelFileTypes.size()) {
    cursor.refuse(fmt::format("gives `{}` the dtype {}, which none is of CTranslate2's", name, type));
  }
  const uint64_t element = c10::elementSize(kModelFileTypes[type]);
  const auto said = cursor.number<uint32_t>();
  const auto bytes = cursor.take(byte_count(cursor, name, shape, element, said));
  Tensor tensor = at::empty(shape, kModelFileTypes[type]);
  if (!bytes.empty()) std::memcpy(tensor.data_ptr(), bytes.data(), bytes.size());
  return tensor;
}

void read_aliases(Cursor& cursor, NamedTensors& tensors) {
  NamedTensors aliases;
  const auto count = cursor.number<uint32_t>();
  for (uint32_t i = 0; i < count; ++i) {
    const std::string alias = cursor.name(), name = cursor.name();
    const auto found = tensors.find(name);
    if (found == tensors.end()) {
      cursor.refuse(fmt::format("has the alias `{}` of `{}`, which is not a variable of the file", alias, name));
    }
    if (tensors.contains(alias) || !aliases.emplace(alias, found->second).second) {
      cursor.refuse(fmt::format("has `{}` twice", alias));
    }
    const auto scale = tensors.find(name + "_scale");
    if (scale != tensors.end()) aliases.emplace(alias + "_scale", scale->second);
  }
  tensors.merge(aliases);
}

}  // namespace

ModelFile read_model_file(const std::string& path) {
  const MappedFile mapped(path);
  Cursor cursor(path, mapped.bytes());
  const auto version = cursor.number<uint32_t>();
  if (version != kBinaryVersion) {
    cursor.refuse(fmt::format(
        "must be a model.bin of CTranslate2 of binary version {}, as its converters have written since version 3.0, but "
        "begins with {}",
        kBinaryVersion, version));
  }
  ModelFile file;
  file.specification = cursor.name();
  file.revision = cursor.number<uint32_t>();
  const auto count = cursor.number<uint32_t>();
  for (uint32_t i = 0; i < count; ++i) {
    const std::string name = cursor.name();
    if (!file.tensors.emplace(name, read_tensor(cursor, name)).second) {
      cursor.refuse(fmt::format("has `{}` twice", name));
    }
  }
  read_aliases(cursor, file.tensors);
  cursor.require_end();
  return file;
}

}  // namespace heed::interchange
