// Placeholders for protected text.
#include "heed/text/placeholders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/random.h"
#include "heed/core/text/unicode.h"
#include "support/message_of.h"

namespace heed::text {
namespace {

const Placeholders& usual() {
  static const Placeholders placeholders({.kinds = {ProtectedKind::Url, ProtectedKind::Mail, ProtectedKind::Placeholder,
                                                    ProtectedKind::Reference, ProtectedKind::Tag},
                                          .patterns = {"#[0-9]+ [a-z]+"}});
  return placeholders;
}

size_t symbols_in(std::string_view text) {
  size_t count = 0;
  for (const std::string_view character : characters(text))
    count += static_cast<size_t>(std::ranges::count(Placeholders::kSymbols, character));
  return count;
}

TEST(Placeholders, StandForProtectedText) {
  const auto line = usual().masked("Open https://a.b/c or {0}, not https://a.b/c.");
  EXPECT_EQ(symbols_in(line.text), 3U) << line.text;
  EXPECT_EQ(std::ranges::count_if(line.originals, [](const auto& text) { return !text.empty(); }), 2)
      << "the same text has the same symbol";
  EXPECT_EQ(Placeholders::unmasked(line.text, line.originals), "Open https://a.b/c or {0}, not https://a.b/c.");
  EXPECT_EQ(usual().masked("nothing here").text, "nothing here");
  EXPECT_EQ(usual().masked("#12 abc!").text.size(), 4U) << "a pattern with a space";
}

TEST(Placeholders, PairsHaveThoseOfBothSides) {
  std::string source = "See {0} at https://a.b and {1} {1}", target = "{1} bei https://a.b, siehe {0} %s";
  const auto originals = usual().mask_pair(source, target);
  EXPECT_EQ(symbols_in(source), 2U) << source;
  EXPECT_EQ(symbols_in(target), 2U) << target;
  EXPECT_NE(source.find("{1} {1}"), std::string::npos) << "it is not as often in the target: " << source;
  EXPECT_NE(target.find("%s"), std::string::npos) << target;
  EXPECT_EQ(Placeholders::unmasked(source, originals), "See {0} at https://a.b and {1} {1}");
  EXPECT_EQ(Placeholders::unmasked(target, originals), "{1} bei https://a.b, siehe {0} %s");
}

TEST(Placeholders, OfAPairAreThoseOfATranslation) {
  std::string source = "Open {0} and {1}.", target = "Öffne {0} und {1}.";
  usual().mask_pair(source, target);
  EXPECT_EQ(source, usual().masked("Open {0} and {1}.").text);
}

TEST(Placeholders, AllAreUsedEquallyOften) {
  std::set<std::string> firsts;
  for (int i = 0; i < 200; ++i) firsts.insert(usual().masked("{0} number " + std::to_string(i)).text.substr(0, 3));
  EXPECT_EQ(firsts.size(), Placeholders::kSymbols.size());
}

TEST(Placeholders, UnknownOnesAreRemoved) {
  const auto line = usual().masked("{0}");
  const auto own = std::ranges::find(Placeholders::kSymbols, std::string_view(line.text));
  const std::string other(own == Placeholders::kSymbols.begin() ? Placeholders::kSymbols[1]
                                                                : Placeholders::kSymbols[0]);
  EXPECT_EQ(Placeholders::unmasked("a " + other + " b" + other + " " + line.text, line.originals), "a b {0}");
  EXPECT_EQ(Placeholders::unmasked(other + " a", line.originals), "a");
}

TEST(Placeholders, AreSeparatedFromWordsInTranslations) {
  const auto line = usual().masked("%s and https://a.b");
  const auto symbol = [&](const char* original) {
    return std::string(Placeholders::kSymbols[static_cast<size_t>(std::ranges::find(line.originals, original) -
                                                                  line.originals.begin())]);
  };
  auto left = Placeholders::counts(line.text);
  EXPECT_EQ(Placeholders::unmasked("x" + symbol("https://a.b") + symbol("%s") + "\u00e4, " + symbol("%s"),
                                   line.originals, &left),
            "x https://a.b%s \u00e4, ");
}

/// Hostile lines: symbols in the text, many texts, texts within others, text that only looks protected.
TEST(Placeholders, AnyLineComesBack) {
  const std::vector<std::string> parts{"{0}",    "{1}",  "{2}",  "{3}",      "{4}",           "{5}",
                                       "%s",     "%1$d", "${x}", "&amp;",    "<b>",           "</b>",
                                       "❶",      "❿",    "❷❸",   " ",        "https://a.b/❶", "{❶}",
                                       "a@b.cd", "#1 x", "é",    "\xE2\x9D", "{{a b}}",       "<a href=\"x y\">",
                                       "100%",   "{",    "}",    "$",        "word",          "\t"};
  RandomStream random(1, Purpose::Test);
  for (int round = 0; round < 5000; ++round) {
    std::string line;
    for (uint64_t count = 1 + random.below(25); count > 0; --count) line += parts[random.below(parts.size())];
    if (first_invalid_utf8(line)) line = replace_invalid_utf8(line);
    const auto masked = usual().masked(line);
    EXPECT_EQ(Placeholders::unmasked(masked.text, masked.originals), line);
    // Afterwards each symbol is a placeholder.
    for (size_t i = 0; i < Placeholders::kSymbols.size(); ++i) {
      if (masked.originals[i].empty()) {
        EXPECT_EQ(masked.text.find(Placeholders::kSymbols[i]), std::string::npos) << line;
      }
    }
    auto left = Placeholders::counts(masked.text);
    Placeholders::unmasked(masked.text + masked.text, masked.originals, &left);
    EXPECT_EQ(left, Placeholders::Counts{}) << "none comes more often than in the line";
    std::string source = line, target = "x " + line + " y";
    const auto originals = usual().mask_pair(source, target);
    EXPECT_EQ(symbols_in(source), symbols_in(target)) << line;
    if (symbols_in(line) > 0) {
      EXPECT_EQ(source, line);
    } else {
      EXPECT_EQ(Placeholders::unmasked(source, originals), line);
      EXPECT_EQ(Placeholders::unmasked(target, originals), "x " + line + " y");
    }
  }
}

TEST(Placeholders, AreWrittenAndRead) {
  const auto read = Placeholders::parse("file", usual().serialized());
  EXPECT_EQ(read->rules(), usual().rules());
  EXPECT_NE(testing::message_of<CheckpointError>([] {
              Placeholders::parse("file", R"({"kinds": ["moon"], "patterns": []})");
            }).find("must be url, mail"),
            std::string::npos);
  EXPECT_THROW(Placeholders::parse("file", "{"), CheckpointError);
}

}  // namespace
}  // namespace heed::text
