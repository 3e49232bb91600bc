#include "heed/media/sound_length.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::media {
namespace {

constexpr uint64_t kUnknown = 0x7F00'0000;  // and above: no length that a file has

/// A file whose header names the size of what follows.
struct Container {
  std::string_view magic;
  bool big_endian;
  size_t size_at;  // where four bytes are the size
};
constexpr std::array kContainers{Container{"RIFF", false, 4}, Container{"RIFX", true, 4}, Container{"FORM", true, 4},
                                 Container{".snd", true, 8}};

bool has(std::span<const std::byte> bytes, size_t at, std::string_view text) {
  return bytes.size() >= at + text.size() && std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}

/// The four bytes at a place, which the file has.
uint64_t number(std::span<const std::byte> bytes, size_t at, bool big_endian) {
  uint64_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<uint64_t>(bytes[at + (big_endian ? i : 3 - i)]);
  return value;
}

const Container* container_of(std::span<const std::byte> bytes) {
  for (const Container& container : kContainers) {
    if (has(bytes, 0, container.magic) && bytes.size() >= container.size_at + 4) return &container;
  }
  return nullptr;
}

/// The place from which the size of the container counts.
uint64_t counted_from(std::span<const std::byte> bytes, const Container& container) {
  return container.magic == ".snd" ? number(bytes, 4, container.big_endian) : 8;
}

/// The place of the size of a WAV file's samples, if it is 0; none: there are no samples, or another size.
std::optional<size_t> empty_data_chunk(std::span<const std::byte> bytes, bool big_endian) {
  uint64_t at = 12;  // behind "RIFF", its size and "WAVE"
  while (at + 8 <= bytes.size()) {
    const uint64_t size = number(bytes, at + 4, big_endian);
    if (has(bytes, at, "data")) return size == 0 ? std::optional<size_t>(at + 4) : std::nullopt;
    at += 8 + size + size % 2;
  }
  return std::nullopt;
}

}  // namespace

void check_whole(std::span<const std::byte> bytes, const std::string& path) {
  const Container* container = container_of(bytes);
  if (container == nullptr) return;
  const uint64_t size = number(bytes, container->size_at, container->big_endian);
  const uint64_t expected = size + counted_from(bytes, *container);
  if (size >= kUnknown || expected <= bytes.size()) return;
  throw InputError(path, 0, fmt::format("is cut off: expected {} bytes, found {}", expected, bytes.size()));
}

std::optional<size_t> unwritten_length(std::span<const std::byte> bytes) {
  const Container* container = container_of(bytes);
  if (container == nullptr || container->magic == "FORM") return std::nullopt;
  const uint64_t size = number(bytes, container->size_at, container->big_endian);
  const uint64_t begin = counted_from(bytes, *container);
  if (container->magic == ".snd") {
    return size == 0 && begin < bytes.size() ? std::optional(container->size_at) : std::nullopt;
  }
  const auto place = empty_data_chunk(bytes, container->big_endian);
  // What follows an empty chunk within the container is another chunk.
  const bool nothing_else = size >= kUnknown || begin + size <= place.value_or(0) + 4;
  const bool samples_follow = place && *place + 4 < bytes.size() && nothing_else;
  return samples_follow ? place : std::nullopt;
}

}  // namespace heed::media
