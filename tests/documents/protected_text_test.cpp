// What must come back unchanged, and that it does, once, whatever a model writes.
#include <gtest/gtest.h>

#include "documents/documents.h"
#include "heed/core/error.h"
#include "heed/text/protected_text.h"

namespace heed::documents {
namespace {

using text::ProtectedKind;
using text::ProtectedText;
using Texts = std::vector<std::string>;

Texts found(const ProtectedText& rules, const std::string& text) {
  Texts parts;
  for (const auto& match : rules.find(text)) parts.push_back(text.substr(match.begin, match.end - match.begin));
  return parts;
}

TEST(ProtectedText, KindsFindWhatTheySay) {
  EXPECT_EQ(found(ProtectedText({ProtectedKind::Url}), "see (https://a.b/c?d=e), http://x.y."),
            (Texts{"https://a.b/c?d=e", "http://x.y"}));
  EXPECT_EQ(found(ProtectedText({ProtectedKind::Mail}), "ask a.b@c-d.org, not @me"), (Texts{"a.b@c-d.org"}));
  EXPECT_EQ(found(ProtectedText({ProtectedKind::Placeholder}),
                  "%s %1$d %-5.2f %(name)s {0} {name} ${x} $var $(y) {{z}} %PRODUCTNAME 100% of 5 % $5 %lld"),
            (Texts{"%s", "%1$d", "%-5.2f", "%(name)s", "{0}", "{name}", "${x}", "$var", "$(y)", "{{z}}", "%PRODUCTNAME",
                   "%lld"}));
  EXPECT_EQ(found(ProtectedText({ProtectedKind::Reference, ProtectedKind::Tag}), "<b>a</b> &amp; b & c < d"),
            (Texts{"<b>", "</b>", "&amp;"}));
  EXPECT_EQ(found(ProtectedText({ProtectedKind::Number}), "1,000 of 3.5 or 12:30."), (Texts{"1,000", "3.5", "12:30"}));
  EXPECT_EQ(found(ProtectedText({}, {"@[a-z]+"}), "é @ab x"), (Texts{"@ab"}));
  EXPECT_TRUE(found(ProtectedText({}), "%s").empty());
}

TEST(ProtectedText, PatternsHaveTheirOwnGroups) {
  EXPECT_EQ(found(ProtectedText({}, {"(a)x\\1", R"((['"])[a-z]+\1)", R"((?<q>#)[a-z]+\k<q>)", R"((?<q>!)b\k<q>)"}),
                  "axa \"one\" 'two' 'th\" #four# !b! axb"),
            (Texts{"axa", "\"one\"", "'two'", "#four#", "!b!"}));
}

TEST(ProtectedText, TheLeftmostMatchOfTheFirstPatternCounts) {
  EXPECT_EQ(found(ProtectedText({ProtectedKind::Number}, {"2[a-z]+", "[a-z]+2x"}), "1 2ab ab2x 2"),
            (Texts{"1", "2ab", "ab2x", "2"}));
  EXPECT_EQ(found(ProtectedText({}, {"ab", "abc", "b(?=c)|(?=d)"}), "abc abd bcd"), (Texts{"ab", "ab", "b"}));
}

TEST(ProtectedText, OtherPatternsAreErrors) {
  EXPECT_THROW(ProtectedText({}, {"("}), ConfigError);
  EXPECT_THROW(ProtectedText({}, {"a*"}), ConfigError);
}

size_t count(const std::string& text, const std::string& part) {
  size_t times = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++times;
  return times;
}

/// A model that drops, repeats, changes and moves words.
TEST(ProtectedText, ComesBackOnceWhateverTheModelWrites) {
  const Texts kept{"%s", "{0}", "https://a.b/c", "x@y.org", "%1$d", "${name}"};
  uint32_t state = 7;
  const auto next = [&](size_t limit) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % limit;
  };
  for (int round = 0; round < 2000; ++round) {
    std::string source = "<p>Word";
    Texts used;
    for (const std::string& part : kept) {
      if (next(2) == 0) continue;
      used.push_back(part);
      source += (next(3) == 0 ? " (" : " ") + part + (next(3) == 0 ? ", a word" : " word");
    }
    source += "</p>";
    const std::string out = translated(DocumentFormat::Html, source, [&](const std::string& text) {
      std::string target = "Wort";
      std::vector<size_t> sources{0};
      const auto words = split_whitespace(text);
      for (size_t i = 0; i < words.size(); ++i) {
        switch (next(5)) {
          case 0:
            break;  // lost
          case 1:
            target += " " + std::string(words[i]);
            sources.push_back(i);
            [[fallthrough]];
          case 2:
            target += " " + std::string(words[i]);
            break;
          case 3:
            target += " Wort";
            break;
          default:
            target += " % s";
            sources.push_back(i);
        }
        while (sources.size() < split_whitespace(target).size()) sources.push_back(next(words.size()));
      }
      return aligned(text, target, sources);
    });
    for (const std::string& part : used) EXPECT_EQ(count(out, part), 1U) << source << "\n" << out;
  }
}

}  // namespace
}  // namespace heed::documents
