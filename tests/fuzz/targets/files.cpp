// Files of numbers, text, images and audio.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "fuzz/targets/targets.h"
#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/files/safetensors.h"
#include "heed/core/files/vector_file.h"
#include "heed/core/text/unicode.h"
#include "heed/media/audio.h"
#include "heed/media/png_file.h"

namespace heed::fuzz {
namespace {

void read_vectors(const std::string& path) {
  const VectorFile file(path);
  for (int64_t item = 0; item < std::min<int64_t>(file.size(), 8); ++item) {
    std::vector<float> values(static_cast<size_t>(file.shape(item).vectors() * file.width()));
    attempt([&] { file.read(item, values); });
  }
}

void read_all_lines(LineReader reader) {
  std::string line;
  while (reader.next(line)) require(!first_invalid_utf8(line));
}

}  // namespace

void read_safetensors(std::string_view input) {
  const std::string path = as_file(input, "input.safetensors");
  attempt([&] { parse_safetensors_header(std::as_bytes(std::span(input)), path); });
  attempt([&] { read_stored_matrix(path, "vectors"); });
  read_vectors(path);
}

void read_npy(std::string_view input) { read_vectors(as_file(input, "input.npy")); }

void read_text_file(std::string_view input) {
  const std::string path = as_file(input, "input.gz");
  for (const InvalidText invalid : {InvalidText::Fail, InvalidText::Replace}) {
    attempt([&] { read_all_lines(LineReader(path, invalid)); });
  }
}

void read_encoded_text(std::string_view input) {
  if (input.empty()) return;
  constexpr const char* kEncodings[] = {"latin-1",   "utf-16",      "utf-32le", "gb18030",
                                        "shift_jis", "iso-2022-jp", "utf-7"};
  const char* encoding = kEncodings[static_cast<unsigned char>(input[0]) % std::size(kEncodings)];
  const std::string path = as_file(input.substr(1), "encoded");
  read_all_lines(LineReader(path, InvalidText::Fail, "", encoding));
}

void read_png_image(std::string_view input) { media::read_png(std::as_bytes(std::span(input)), "input.png"); }

void read_sound(std::string_view input) {
  const media::Audio audio = media::read_audio(as_file(input, "input.wav"));
  media::resampled(audio, 16000);
}

}  // namespace heed::fuzz
