#include "heed/serve/language_detection.h"

#include <gtest/gtest.h>

#include <string>

namespace heed::serve {
namespace {

TEST(LanguageDetection, FindsTheLanguage) {
  if (!can_detect_languages()) GTEST_SKIP() << "heed is built without CLD2";
  EXPECT_EQ(detect_languages("The cat sleeps on the sofa in the living room.").at(0).code, "en");
  EXPECT_EQ(detect_languages("Die Katze schläft auf dem Sofa im Wohnzimmer.").at(0).code, "de");
  EXPECT_EQ(detect_languages("החתול ישן על הספה בסלון").at(0).code, "he");
  EXPECT_TRUE(detect_languages("").empty());
  std::string cut(8191, 'a');
  EXPECT_NO_THROW(detect_languages(cut + "ü" + cut));
}

}  // namespace
}  // namespace heed::serve
