// Sound files, made by hand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/vector_files.h"

namespace heed::testing {

/// A WAV file of 16-bit samples, frame by frame.
inline std::string wav_bytes(uint32_t rate, uint16_t channels, const std::vector<int16_t>& samples) {
  const auto size = static_cast<uint32_t>(2 * samples.size());
  const auto frame = static_cast<uint16_t>(2 * channels);
  return "RIFF" + bytes_of<uint32_t>({36 + size}) + "WAVEfmt " + bytes_of<uint32_t>({16}) +
         bytes_of<uint16_t>({1, channels}) + bytes_of<uint32_t>({rate, rate * frame}) +
         bytes_of<uint16_t>({frame, 16}) + "data" + bytes_of<uint32_t>({size}) + bytes_of(samples);
}

}  // namespace heed::testing
