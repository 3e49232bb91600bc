#include "heed/metrics/significance/numpy_random.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "heed/metrics/significance/resampling.h"
#include "support/stored_json.h"

namespace heed::metrics {
namespace {

using Json = nlohmann::json;

uint64_t checksum(const std::vector<uint32_t>& values) {
  uint64_t total = 0;
  for (const uint32_t value : values) total = total * 31 + value;
  return total;
}

TEST(NumpyRandom, EqualsNumpyForSeedsOfEverySize) {
  for (const Json& stored : testing::stored_json("metrics/data/numpy_random.json")) {
    SCOPED_TRACE(stored.at("seed"));
    NumpyRandom random(NumpySeed::parse(stored.at("seed").get<std::string>()));
    for (const std::string word : stored.at("words")) EXPECT_EQ(std::to_string(random.next()), word);
  }
}

TEST(NumpyRandom, BitsAreThoseOfTheWordsLowestFirst) {
  for (const Json& stored : testing::stored_json("metrics/data/numpy_random.json")) {
    NumpyRandom random(NumpySeed::parse(stored.at("seed").get<std::string>()));
    std::string bits;
    uint64_t word = 0;
    while (bits.size() < 200) {
      word = bits.size() % 64 == 0 ? random.next() : word >> 1;
      bits += word & 1 ? '1' : '0';
    }
    EXPECT_EQ(bits, stored.at("bits").get<std::string>());
  }
}

TEST(NumpyRandom, ChoiceEqualsNumpyWithRejections) {
  for (const Json& stored : testing::stored_json("metrics/data/numpy_random.json")) {
    for (const Json& choice : stored.at("choices")) {
      SCOPED_TRACE(choice.dump());
      NumpyRandom random(NumpySeed::parse(stored.at("seed").get<std::string>()));
      std::vector<uint32_t> drawn(2001);
      // In two parts: the half of a 64-bit draw that is left over is used first.
      const uint64_t population = choice.at("population");
      random.choice(population, std::span(drawn).first(777));
      random.choice(population, std::span(drawn).subspan(777));
      EXPECT_EQ(std::to_string(checksum(drawn)), choice.at("checksum").get<std::string>());
    }
  }
}

TEST(NumpyRandom, SkippingEqualsDrawing) {
  for (const uint64_t count : {0u, 1u, 2u, 63u, 1000u}) {
    NumpyRandom drawn(NumpySeed::parse("5"));
    NumpyRandom skipped = drawn;
    for (uint64_t i = 0; i < count; ++i) drawn.next();
    skipped.skip(count);
    EXPECT_EQ(skipped.next(), drawn.next()) << count;
  }
}

TEST(NumpySeed, ReadsWholeNumbersAsPythonDoes) {
  EXPECT_EQ(NumpySeed::parse("12345").text(), "12345");
  EXPECT_EQ(NumpySeed::parse(" +0012_345\n").text(), "12345");
  EXPECT_EQ(NumpySeed::parse("340282366920938463463374607431768211456").text(),
            "340282366920938463463374607431768211456");
  EXPECT_TRUE(NumpySeed::parse("000").is_zero());
  EXPECT_EQ(NumpySeed::parse("0").text(), "0");
  EXPECT_FALSE(NumpySeed::parse("4294967296").is_zero());
  for (const char* wrong : {"", " ", "+", "-1", "1.0", "abc", "1__2", "_1", "1_", "0x10"}) {
    EXPECT_THROW(NumpySeed::parse(wrong), std::invalid_argument) << wrong;
  }
}

TEST(NumpySeed, EntropyDiffersFromCallToCall) { EXPECT_NE(NumpySeed::entropy(), NumpySeed::entropy()); }

TEST(Means, EqualPythonsToTheLastBit) {
  for (const Json& stored : testing::stored_json("metrics/data/means.json")) {
    SCOPED_TRACE(stored.dump());
    std::vector<double> values;
    if (stored.contains("values")) values = stored.at("values").get<std::vector<double>>();
    for (uint64_t i = 0; i < stored.value("count", 0u); ++i) {
      values.push_back(static_cast<double>(i * 2654435761U % (uint64_t{1} << 32)) / 4294967296.0 * 100);
    }
    EXPECT_EQ(numpy_mean(values), stored.at("numpy").get<double>());
    EXPECT_EQ(exact_mean(values), stored.at("exact").get<double>());
  }
}

}  // namespace
}  // namespace heed::metrics
