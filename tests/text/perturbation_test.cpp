// Changes of text as people make them.
#include "heed/text/perturbation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "support/message_of.h"

namespace heed::text {
namespace {

using Texts = std::vector<std::string>;

/// "source|target" after the change; `seed` chooses the random numbers.
std::string changed(Perturbation kind, const std::string& source, const std::string& target, uint64_t seed = 1) {
  PairText pair{source, target};
  RandomStream random(seed, Purpose::Test);
  const bool is_changed = perturb(kind, pair, [] { return PairText{"Next one.", "Der nächste."}; }, random);
  EXPECT_EQ(is_changed, pair.source != source);
  return pair.source + "|" + pair.target;
}

TEST(Perturbation, ChangesBothSidesAlike) {
  EXPECT_EQ(changed(Perturbation::UpperCase, "a straße", "éß"), "A STRASSE|ÉSS");
  EXPECT_EQ(changed(Perturbation::TitleCase, "the 3rd well-known (NATO) isn't", "ein (haus)"),
            "The 3rd Well-known (NATO) Isn't|Ein (Haus)");
  EXPECT_EQ(changed(Perturbation::NoPunctuation, "Really?!", "好。"), "Really|好");
  EXPECT_EQ(changed(Perturbation::NoPunctuation, "Really?", "So"), "Really?|So") << "only if both sides have some";
  EXPECT_EQ(changed(Perturbation::Join, "One.", "Eins."), "One. Next one.|Eins. Der nächste.");
  EXPECT_EQ(changed(Perturbation::Join, "One.", ""), "One.|");
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::string loud = changed(Perturbation::DoublePunctuation, "Stop!", "Halt!", seed);
    EXPECT_EQ(std::ranges::count(Texts{"Stop!!|Halt!!", "Stop!!!|Halt!!!", "Stop!!!!|Halt!!!!"}, loud), 1) << loud;
    for (const Perturbation kind : {Perturbation::Emoji, Perturbation::Url}) {
      const std::string more = changed(kind, "a", "b", seed);
      const size_t bar = more.find('|');
      const auto words = split_whitespace(std::string_view(more).substr(0, bar));
      const auto others = split_whitespace(std::string_view(more).substr(bar + 1));
      ASSERT_EQ(words.size(), 2U) << more;
      ASSERT_EQ(others.size(), 2U) << more;
      const bool at_end = words[0] == "a";
      EXPECT_EQ(words[at_end ? 1 : 0], others[at_end ? 1 : 0]) << more;
    }
  }
}

TEST(Perturbation, ChangesTheSourceOnly) {
  EXPECT_EQ(changed(Perturbation::NoAccents, "für Élan Ελλάς μάθημα йод", "für"), "fur Elan Ελλας μαθημα йод|für");
  EXPECT_EQ(changed(Perturbation::NoAccents, "e\u0301", "x"), "e|x") << "a combining accent";
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const std::string source = "The Weather is Wonderful today in 2024";
    const std::string more = changed(Perturbation::Typos, source, "Das Wetter", seed);
    EXPECT_TRUE(more.ends_with("|Das Wetter")) << more;
    EXPECT_EQ(split_whitespace(more.substr(0, more.find('|'))).size(), 7U) << more;
    EXPECT_NE(more.find("2024"), std::string::npos) << more;
    EXPECT_TRUE(more.starts_with("The ")) << "short words stay: " << more;
  }
}

TEST(Perturbation, ProtectedTextStays) {
  const std::string source = "über <b>straße</b> https://a.b/straße %s {name} &amp; me@x.org";
  EXPECT_EQ(changed(Perturbation::UpperCase, source, "x"),
            "ÜBER <b>STRASSE</b> https://a.b/straße %s {name} &amp; me@x.org|X");
  EXPECT_EQ(changed(Perturbation::TitleCase, source, "x"),
            "Über <b>Straße</b> https://a.b/straße %s {name} &amp; me@x.org|X");
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::string more = changed(Perturbation::Typos, source, "x", seed);
    EXPECT_NE(more.find("</b> https://a.b/straße %s {name} &amp; me@x.org|x"), std::string::npos) << more;
  }
}

/// Whatever the text, the result is well-formed and the same for the same random numbers.
TEST(Perturbation, AnyTextCanBeChanged) {
  const Texts texts{"",  " ", ".", "!!!",   "a",      "\u0301", "猫。", "👍🏽", "\t%s\n", std::string(1, '\0'),
                    "ﬁ", "İ", "ǆ", "नमस्ते।", "aa aaaa"};
  for (const auto& [kind, name] : option_names(Perturbation{})) {
    for (const std::string& source : texts) {
      for (const std::string& target : texts) {
        const std::string once = changed(kind, source, target, 3);
        EXPECT_EQ(once, changed(kind, source, target, 3));
        EXPECT_FALSE(first_invalid_utf8(once)) << name;
      }
    }
  }
}

TEST(Perturbation, RatesAreRead) {
  const Texts entries{"typos=0.1", "join=1"};
  const auto rates = perturbation_rates(entries, "data.augment");
  ASSERT_EQ(rates.size(), 2U);
  EXPECT_EQ(rates[0].kind, Perturbation::Join);
  EXPECT_EQ(rates[1].rate, 0.1);
  const auto refusal = [](const std::string& entry) {
    return testing::message_of<ConfigError>(
        [&] { perturbation_rates(std::vector{entry, std::string("join=1")}, "data.augment"); });
  };
  EXPECT_EQ(refusal("case=0.1"),
            "`data.augment` has `case`, but must name join, upper-case, title-case, no-punctuation, "
            "double-punctuation, typos, no-accents, emoji or url");
  EXPECT_EQ(refusal("join=0.5"), "`data.augment` names join twice");
  for (const std::string entry : {"typos", "typos=", "typos=0", "typos=1.5", "typos=nan", "typos=0.1x", "=0.1 "}) {
    EXPECT_EQ(refusal(entry),
              "`data.augment` must have entries KIND=RATE with a rate above 0 and at most 1, but has `" + entry + "`");
  }
}

}  // namespace
}  // namespace heed::text
