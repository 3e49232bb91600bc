// The records of TensorBoard's event files: protobuf messages in the framing of TFRecord
// (https://www.tensorflow.org/tutorials/load_data/tfrecord).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::report {

/// CRC-32C (Castagnoli).
uint32_t crc32c(std::string_view bytes);

/// A record: the length (8 bytes), its masked checksum, the bytes, their masked checksum. Numbers are little-endian,
/// and a masked checksum is rotr(crc, 15) + 0xa282ead8.
std::string tfrecord(std::string_view bytes);

/// The record that begins an event file.
std::string first_event(double wall_time);
/// The record after which readers forget events of this step and later ones that they have read before.
std::string restart_event(double wall_time, int64_t step);
/// A record of the values of scalars at a step, by tag.
std::string scalar_event(double wall_time, int64_t step, const std::vector<std::pair<std::string, double>>& scalars);

}  // namespace heed::report
