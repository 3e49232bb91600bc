// Runs a fuzz target without libFuzzer: on inputs put together at random from pieces that matter to it.
//   PROGRAM RUNS [SEED]
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int main(int count, char** arguments) {
  // clang-format off
  constexpr std::array<std::string_view, 40> kPieces{
      " ", " ", " ", "a", "b", "the ", "The ", ".", ",", "-", "'s ", "1", "9", "&", "&amp;", "&lt;", "<skipped>", "!",
      "\"", "(", "\xc2\x85", "\xc2\xa0", "\xe3\x80\x80", "\xe2\x80\xa8", "\xe4\xbd\xa0", "\xe3\x81\x82", "\xef\xbc\x8c",
      "\xce\xa3", "\xc4\xb0", "\xf0\x9f\x98\x80", "\xcc\x81", "\xef\xbf\xbd", "\xc3", "\xff", "\r", "\t", "0-0 ", "1?2 ",
      "3p4 ", "\xf0\x90\x90\x80"};
  // clang-format on
  const long runs = count > 1 ? std::atol(arguments[1]) : 1000;
  std::mt19937 random(count > 2 ? static_cast<unsigned>(std::atol(arguments[2])) : 1);
  for (long run = 0; run < runs; ++run) {
    std::string input;
    const size_t pieces = random() % (random() % 50 == 0 ? 3000 : 80);
    for (size_t i = 0; i < pieces; ++i) {
      if (random() % 40 == 0) input += '\n';
      if (random() % 100 == 0) input += static_cast<char>(random() % 256);
      input += kPieces[random() % kPieces.size()];
      if (random() % 60 == 0) input += input.substr(random() % input.size(), random() % 60);
    }
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  }
  std::printf("%ld inputs\n", runs);
}
