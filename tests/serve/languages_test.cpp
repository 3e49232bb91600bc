#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/serve/language.h"
#include "heed/serve/model_set.h"
#include "serve/stored_model.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::serve {
namespace {

using testing::message_of;

TEST(Languages, ArePairsOfCodes) {
  EXPECT_EQ(parse_pair("en-de"), (LanguagePair{"en", "de"}));
  EXPECT_EQ(parse_pair("zh_Hans-pt_BR"), (LanguagePair{"zh-Hans", "pt-BR"}));
  for (const char* other : {"", "en", "en-", "EN-DE", "en-de-fr", "english-german"})
    EXPECT_FALSE(parse_pair(other)) << other;
  EXPECT_EQ(language_name("de"), "German");
  EXPECT_EQ(language_name("pt-BR"), "Portuguese (Brazil)");
  EXPECT_TRUE(is_known_language("zh-Hans"));
  for (const char* other : {"", "xx", "txt", "source", "de/"}) EXPECT_FALSE(is_known_language(other)) << other;
}

TEST(Languages, OfAModelAreInTheNamesOfItsFilesOrItsDirectory) {
  const testing::TemporaryDirectory folder;
  const auto found = [&](const std::string& name, const std::string& source, const std::string& target) {
    std::filesystem::create_directory(folder.file(name));
    write_file(folder.file(name) + "/config.toml", "source = [\"" + source + "\"]\ntarget = [\"" + target + "\"]\n");
    const auto pair = languages_of_model(folder.file(name));
    return pair ? pair->text() : "none";
  };
  EXPECT_EQ(found("a", "data/train.en", "data/train.de"), "en-de");
  EXPECT_EQ(found("b", "train.pt_BR.gz", "train.fr.gz"), "pt-BR-fr");
  EXPECT_EQ(found("c", "train.source", "train.target"), "none");
  EXPECT_EQ(found("en-nl", "train.source", "train.target"), "en-nl");
  EXPECT_EQ(found("opus-mt-it-es", "a.txt", "b.txt"), "it-es");
  EXPECT_EQ(found("en-de", "train.sv", "train.da"), "sv-da") << "the files say it better";
}

TEST(Models, AreNamedWithTheirPairs) {
  const ModelSource one = parse_model("en-de=models/a=b");
  EXPECT_EQ(one.directory, "models/a=b");
  ASSERT_EQ(one.pairs.size(), 1U);
  EXPECT_EQ(one.pairs[0].languages.text(), "en-de");
  const ModelSource many = parse_model("en-de:<2de>,en-fr:<2:fr>=m");
  ASSERT_EQ(many.pairs.size(), 2U);
  EXPECT_EQ(many.pairs[1].languages.text(), "en-fr");
  EXPECT_EQ(many.pairs[1].target_tag, "<2:fr>");
  EXPECT_EQ(parse_model(stored_model()).pairs[0].languages.text(), "en-de");
}

TEST(Models, MustHavePairsAndDifferentOnes) {
  const testing::TemporaryDirectory folder;
  std::filesystem::create_directory(folder.file("model"));
  write_file(folder.file("model") + "/config.toml", "");
  EXPECT_EQ(message_of<ConfigError>([&] { parse_models({folder.file("model")}); }),
            "`--model` " + folder.file("model") +
                " does not tell its languages: name them, such as `--model en-de=" + folder.file("model") + "`");
  EXPECT_EQ(message_of<ConfigError>([] { parse_models({"en-de=a", "de-en=c", "en-de=b"}); }),
            "`--model` names two models for en-de: a and b");
  EXPECT_EQ(message_of<ConfigError>([] { parse_models({}); }),
            "`--model` is missing: name the directory that `heed train` made");
}

TEST(Models, AreFoundByTheirPair) {
  const ModelSet models(parse_models({"en-de=" + stored_model(), "en-fr,it-fr=" + stored_model()}), {});
  ASSERT_NE(models.find({"it", "fr"}), nullptr);
  EXPECT_EQ(models.find({"it", "fr"})->model, models.find({"en", "fr"})->model) << "one model is read once";
  EXPECT_EQ(models.find({"it", "de"}), nullptr);
  EXPECT_EQ(models.targets().at("en"), (std::vector<std::string>{"de", "fr"}));
  EXPECT_TRUE(models.has_target("fr"));
  EXPECT_FALSE(models.has_target("en"));
}

}  // namespace
}  // namespace heed::serve
