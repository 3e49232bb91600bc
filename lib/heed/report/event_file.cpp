#include "heed/report/event_file.h"

#include <array>
#include <bit>

namespace heed::report {
namespace {

constexpr std::array<uint32_t, 256> checksum_table() {
  constexpr uint32_t kReversedPolynomial = 0x82f63b78;
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < table.size(); ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kReversedPolynomial : 0);
    table[byte] = crc;
  }
  return table;
}

std::string little_endian(uint64_t number, size_t bytes) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i) text += static_cast<char>((number >> (8 * i)) & 0xff);
  return text;
}

std::string masked_checksum(std::string_view bytes) {
  return little_endian(std::rotr(crc32c(bytes), 15) + 0xa282ead8U, 4);
}

// Fields of a protobuf message: a key, which is the field's number and how its value is written, and the value
// (https://protobuf.dev/programming-guides/encoding).
enum class Wire : uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

std::string varint(uint64_t number) {
  std::string text;
  for (; number >= 0x80; number >>= 7) text += static_cast<char>((number & 0x7f) | 0x80);
  return text + static_cast<char>(number);
}
std::string key(uint64_t field, Wire wire) { return varint(field << 3 | static_cast<uint64_t>(wire)); }
std::string bytes_field(uint64_t field, std::string_view bytes) {
  return key(field, Wire::Bytes) + varint(bytes.size()) + std::string(bytes);
}

/// A message Event: wall_time (1) and step (2), then further fields.
std::string event_record(double wall_time, int64_t step, const std::string& fields) {
  return tfrecord(key(1, Wire::Fixed64) + little_endian(std::bit_cast<uint64_t>(wall_time), 8) + key(2, Wire::Varint) +
                  varint(static_cast<uint64_t>(step)) + fields);
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<uint32_t, 256> kTable = checksum_table();
  uint32_t crc = 0xffffffff;
  for (const char c : bytes) crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(c)) & 0xff];
  return ~crc;
}

std::string tfrecord(std::string_view bytes) {
  const std::string length = little_endian(bytes.size(), 8);
  return length + masked_checksum(length) + std::string(bytes) + masked_checksum(bytes);
}

std::string first_event(double wall_time) {
  return event_record(wall_time, 0, bytes_field(3, "brain.Event:2"));  // file_version
}

std::string restart_event(double wall_time, int64_t step) {
  return event_record(wall_time, step,
                      bytes_field(7, key(1, Wire::Varint) + varint(1)));  // session_log, its status is START
}

std::string scalar_event(double wall_time, int64_t step, const std::vector<std::pair<std::string, double>>& scalars) {
  std::string summary;
  for (const auto& [tag, value] : scalars) {
    const auto number = std::bit_cast<uint32_t>(static_cast<float>(value));
    summary += bytes_field(1, bytes_field(1, tag) + key(2, Wire::Fixed32) + little_endian(number, 4));
  }
  return event_record(wall_time, step, bytes_field(5, summary));
}

}  // namespace heed::report
