#include "heed/metrics/significance/numpy_random.h"

#include <algorithm>
#include <array>
#include <random>
#include <stdexcept>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"

namespace heed::metrics {
namespace {

constexpr size_t kPoolSize = 4;

/// SeedSequence's hash of a word. Its constant changes with each word.
class WordHash {
 public:
  WordHash(uint32_t constant, uint32_t multiplier) : constant_(constant), multiplier_(multiplier) {}
  uint32_t operator()(uint32_t word) {
    word ^= constant_;
    constant_ *= multiplier_;
    word *= constant_;
    return word ^ (word >> 16);
  }

 private:
  uint32_t constant_;
  uint32_t multiplier_;
};

uint32_t mix(uint32_t a, uint32_t b) {
  const uint32_t mixed = 0xca01f9ddU * a - 0x4973f715U * b;
  return mixed ^ (mixed >> 16);
}

std::array<uint32_t, kPoolSize> entropy_pool(std::span<const uint32_t> words) {
  WordHash hash(0x43b0d7e5U, 0x931e8875U);
  std::array<uint32_t, kPoolSize> pool{};
  for (size_t i = 0; i < kPoolSize; ++i) pool[i] = hash(i < words.size() ? words[i] : 0);
  for (size_t from = 0; from < kPoolSize; ++from) {
    for (size_t to = 0; to < kPoolSize; ++to) {
      if (from != to) pool[to] = mix(pool[to], hash(pool[from]));
    }
  }
  for (size_t i = kPoolSize; i < words.size(); ++i) {
    for (uint32_t& word : pool) word = mix(word, hash(words[i]));
  }
  return pool;
}

/// SeedSequence(words).generate_state(4, numpy.uint64)
std::array<uint64_t, 4> generate_state(std::span<const uint32_t> words) {
  const auto pool = entropy_pool(words);
  WordHash hash(0x8b51f9ddU, 0x58f38dedU);
  std::array<uint64_t, 4> state{};
  for (size_t i = 0; i < 2 * state.size(); ++i) state[i / 2] |= uint64_t{hash(pool[i % kPoolSize])} << (32 * (i % 2));
  return state;
}

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

/// The digits of an integer in Python's notation: an optional +, single underscores between digits.
std::string decimal_digits(std::string_view text) {
  text = strip(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  std::string digits;
  bool underscore_allowed = false;
  for (const char c : text) {
    if (!is_decimal_digit(c) && !(c == '_' && underscore_allowed)) throw std::invalid_argument("no whole number");
    underscore_allowed = is_decimal_digit(c);
    if (is_decimal_digit(c)) digits += c;
  }
  if (!underscore_allowed) throw std::invalid_argument("no whole number");
  return digits;
}

}  // namespace

NumpySeed::NumpySeed(std::vector<uint32_t> words) : words_(std::move(words)) {
  while (words_.size() > 1 && words_.back() == 0) words_.pop_back();
}

NumpySeed NumpySeed::parse(std::string_view text) {
  std::vector<uint32_t> words{0};
  for (const char digit : decimal_digits(text)) {
    uint64_t carry = static_cast<uint64_t>(digit - '0');
    for (uint32_t& word : words) {
      carry += uint64_t{word} * 10;
      word = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) words.push_back(static_cast<uint32_t>(carry));
  }
  return NumpySeed(std::move(words));
}

NumpySeed NumpySeed::entropy() {
  std::random_device device;
  std::vector<uint32_t> words(4);
  std::ranges::generate(words, [&device] { return static_cast<uint32_t>(device()); });
  return NumpySeed(std::move(words));
}

std::string NumpySeed::text() const {
  std::vector<uint32_t> rest = words_;
  std::string digits;
  do {
    uint64_t remainder = 0;
    for (size_t i = rest.size(); i-- > 0;) {
      remainder = (remainder << 32) | rest[i];
      rest[i] = static_cast<uint32_t>(remainder / 10);
      remainder %= 10;
    }
    digits += static_cast<char>('0' + remainder);
    while (!rest.empty() && rest.back() == 0) rest.pop_back();
  } while (!rest.empty());
  std::ranges::reverse(digits);
  return digits;
}

NumpyRandom::NumpyRandom(const NumpySeed& seed) {
  const auto words = generate_state(seed.words());
  increment_ = (((Uint128{words[2]} << 64) | words[3]) << 1) | 1;
  step();
  state_ += (Uint128{words[0]} << 64) | words[1];
  step();
}

/// Composes step() with itself by repeated squaring (Brown 1994, Random number generation with arbitrary strides).
void NumpyRandom::skip(uint64_t count) {
  Uint128 multiplier = kMultiplier;
  Uint128 increment = increment_;
  for (; count > 0; count >>= 1) {
    if (count & 1) state_ = state_ * multiplier + increment;
    increment *= multiplier + 1;
    multiplier *= multiplier;
  }
}

uint32_t NumpyRandom::next32() {
  has_half_ = !has_half_;
  if (!has_half_) return half_;
  const uint64_t drawn = next();
  half_ = static_cast<uint32_t>(drawn >> 32);
  return static_cast<uint32_t>(drawn);
}

/// Lemire 2019 (https://arxiv.org/abs/1805.10941): the upper half of a product, unless its lower half is too small.
void NumpyRandom::choice(uint64_t population, std::span<uint32_t> draws) {
  check(population >= 1 && population <= uint64_t{1} << 32, "choice: the population must be from 1 to 2^32");
  if (population == 1) {
    std::ranges::fill(draws, 0);
    return;
  }
  const auto smallest = static_cast<uint32_t>((uint64_t{1} << 32) % population);
  for (uint32_t& draw : draws) {
    uint64_t product = next32() * population;
    while (static_cast<uint32_t>(product) < smallest) product = next32() * population;
    draw = static_cast<uint32_t>(product >> 32);
  }
}

}  // namespace heed::metrics
