#include "heed/media/audio.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/parsed_number.h"

namespace heed::media {
namespace {

using Bytes = std::span<const std::byte>;

constexpr uint64_t kUnknown = 0x7F00'0000;              // for four bytes: from here on not a real length
constexpr uint64_t kUnknownLong = uint64_t{1} << 62;    // the same for eight bytes
constexpr std::string_view kHuge = "\xFF\xFF\xFF\xFF";  // makes libsndfile read to the end of the file

/// A file format whose header has the size of the rest.
struct Container {
  std::string_view magic;
  bool big_endian;
  size_t size_at;  // offset of the size, four bytes
};
constexpr std::array kContainers{Container{"RIFF", false, 4}, Container{"RIFX", true, 4}, Container{"FORM", true, 4},
                                 Container{".snd", true, 8}};

constexpr std::string_view kWave64 = "riff\x2E\x91\xCF\x11";  // the first half of a GUID
constexpr size_t kWave64Size = 16;

// RF64 (EBU Tech 3306): the sizes of RIFF and of its chunk "data", in eight bytes each, are in the chunk "ds64".
constexpr size_t kDs64 = 12, kRf64Size = 20, kRf64Data = 28;

bool has(Bytes bytes, size_t at, std::string_view text) {
  return bytes.size() >= at + text.size() && std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}

/// The number at an offset; the file must be long enough.
uint64_t number(Bytes bytes, size_t at, bool big_endian, size_t width = 4) {
  uint64_t value = 0;
  for (size_t i = 0; i < width; ++i) {
    value = value << 8 | std::to_integer<uint64_t>(bytes[at + (big_endian ? i : width - 1 - i)]);
  }
  return value;
}

std::string eight_bytes(uint64_t value, bool big_endian) {
  std::string bytes;
  for (size_t i = 0; i < 8; ++i) bytes += static_cast<char>(value >> 8 * i);
  if (big_endian) std::ranges::reverse(bytes);
  return bytes;
}

const Container* container_of(Bytes bytes) {
  for (const Container& container : kContainers) {
    if (has(bytes, 0, container.magic) && bytes.size() >= container.size_at + 4) return &container;
  }
  return nullptr;
}

/// The offset from which the container's size counts.
uint64_t counted_from(Bytes bytes, const Container& container) {
  return container.magic == ".snd" ? number(bytes, 4, container.big_endian) : 8;
}

bool is_rf64(Bytes bytes) { return has(bytes, 0, "RF64") && has(bytes, kDs64, "ds64") && bytes.size() >= 36; }

/// The offset of the size of a WAV file's chunk "data".
std::optional<size_t> data_size_place(Bytes bytes, bool big_endian) {
  uint64_t at = 12;  // after "RIFF", its size and "WAVE"
  while (at + 8 <= bytes.size()) {
    if (has(bytes, at, "data")) return at + 4;
    const uint64_t size = number(bytes, at + 4, big_endian);
    at += 8 + size + size % 2;
  }
  return std::nullopt;
}

/// A chunk of a CAF file: its type in four bytes, its size in eight, then its data.
struct CafChunk {
  uint64_t at, size;
};
constexpr uint64_t kCafHead = 12;

std::optional<CafChunk> caf_chunk(Bytes bytes, uint64_t at) {
  if (at + kCafHead > bytes.size()) return std::nullopt;
  return CafChunk{at, number(bytes, at + 4, /*big_endian=*/true, 8)};
}

/// The first chunk that extends beyond the end of the file; none: all are complete.
std::optional<CafChunk> last_caf_chunk(Bytes bytes) {
  for (auto chunk = caf_chunk(bytes, 8); chunk; chunk = caf_chunk(bytes, chunk->at + kCafHead + chunk->size)) {
    if (chunk->size > bytes.size() - chunk->at - kCafHead) return chunk;
  }
  return std::nullopt;
}

/// The whole number behind `name` in the header of a NIST SPHERE file: "NAME -i 2", or as text of N bytes, "NAME -sN
/// 2".
std::optional<uint32_t> sphere_number(std::string_view header, std::string_view name) {
  const auto found = header.find(fmt::format("\n{} -", name));
  if (found == std::string_view::npos) return std::nullopt;
  const std::string_view line = header.substr(found + 1, header.find('\n', found + 1) - found - 1);
  return parsed_number<uint32_t>(line.substr(line.rfind(' ') + 1));
}

/// A NIST SPHERE file: "NIST_1A", the size of the header, its lines, then the samples.
std::optional<uint64_t> size_of_sphere(Bytes bytes) {
  constexpr size_t kUsual = 1024;
  const std::string_view header(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kUsual));
  const auto samples = sphere_number(header, "sample_count"), width = sphere_number(header, "sample_n_bytes");
  if (!header.starts_with("NIST_1A\n   1024\n") || !samples || !width) return std::nullopt;
  if (header.find("embedded-") != std::string_view::npos) return std::nullopt;  // compressed: fewer bytes than samples
  return kUsual + uint64_t{*samples} * *width * sphere_number(header, "channel_count").value_or(1);
}

/// A size in eight bytes that counts from `begin`.
std::optional<uint64_t> long_size(Bytes bytes, size_t at, uint64_t begin) {
  const uint64_t size = number(bytes, at, /*big_endian=*/false, 8);
  return size < kUnknownLong ? std::optional(begin + size) : std::nullopt;
}

/// The size of the whole file according to its header; none: unknown, or a format that is not checked.
std::optional<uint64_t> expected_size(Bytes bytes) {
  if (is_rf64(bytes)) return long_size(bytes, kRf64Size, 8);
  if (has(bytes, 0, kWave64) && bytes.size() >= kWave64Size + 8) return long_size(bytes, kWave64Size, 0);
  if (has(bytes, 0, "caff")) {
    const auto chunk = last_caf_chunk(bytes);
    return chunk && chunk->size < kUnknownLong ? std::optional(chunk->at + kCafHead + chunk->size) : std::nullopt;
  }
  if (has(bytes, 0, "NIST_1A")) return size_of_sphere(bytes);
  const Container* container = container_of(bytes);
  if (container == nullptr) return std::nullopt;
  const uint64_t size = number(bytes, container->size_at, container->big_endian);
  return size < kUnknown ? std::optional(size + counted_from(bytes, *container)) : std::nullopt;
}

/// Whether the samples follow an empty chunk "data". If the container's size is known, another chunk follows.
bool samples_follow(Bytes bytes, size_t size_place) {
  const auto container = expected_size(bytes);
  return !container || *container <= size_place + 4;
}

std::optional<MissingLength> unwritten_rf64(Bytes bytes) {
  const uint64_t size = number(bytes, kRf64Data, /*big_endian=*/false, 8);
  const auto place = data_size_place(bytes, /*big_endian=*/false);
  if (!place || *place + 4 >= bytes.size()) return std::nullopt;
  const bool unwritten = size >= kUnknownLong || (size == 0 && samples_follow(bytes, *place));
  if (!unwritten) return std::nullopt;
  return MissingLength{kRf64Data, eight_bytes(bytes.size() - *place - 4, /*big_endian=*/false)};
}

std::optional<MissingLength> unwritten_caf(Bytes bytes) {
  const auto chunk = last_caf_chunk(bytes);
  if (!chunk || !has(bytes, chunk->at, "data") || chunk->size != UINT64_MAX) return std::nullopt;
  return MissingLength{chunk->at + 4, eight_bytes(bytes.size() - chunk->at - kCafHead, /*big_endian=*/true)};
}

std::optional<MissingLength> unwritten_au(Bytes bytes, const Container& au) {
  const bool samples = counted_from(bytes, au) < bytes.size();
  if (!samples || number(bytes, au.size_at, au.big_endian) != 0) return std::nullopt;
  return MissingLength{au.size_at, std::string(kHuge)};
}

std::optional<MissingLength> unwritten_wav(Bytes bytes, const Container& wav) {
  const auto place = data_size_place(bytes, wav.big_endian);
  if (!place || *place + 4 >= bytes.size() || number(bytes, *place, wav.big_endian) != 0) return std::nullopt;
  if (!samples_follow(bytes, *place)) return std::nullopt;
  return MissingLength{*place, std::string(kHuge)};
}

}  // namespace

void check_not_truncated(Bytes bytes, const std::string& path) {
  const auto expected = expected_size(bytes);
  if (!expected || *expected <= bytes.size()) return;
  throw InputError(path, 0, fmt::format("is truncated: expected {} bytes, found {}", *expected, bytes.size()));
}

std::optional<MissingLength> unwritten_length(Bytes bytes) {
  if (is_rf64(bytes)) return unwritten_rf64(bytes);
  if (has(bytes, 0, "caff")) return unwritten_caf(bytes);
  const Container* container = container_of(bytes);
  if (container == nullptr || container->magic == "FORM") return std::nullopt;
  return container->magic == ".snd" ? unwritten_au(bytes, *container) : unwritten_wav(bytes, *container);
}

}  // namespace heed::media
