// Validation's search beside the options of search, which are defaults of the model's translations later.
#include <gtest/gtest.h>

#include <filesystem>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"

namespace heed::end_to_end {
namespace {

class ValidationSearch : public ::testing::Test {
 protected:
  ValidationSearch() {
    const Words words{"one", "two", "three", "four", "five"};
    write_numbers(folder, "train", words, 200);
    write_numbers(folder, "dev", words, 40);
  }
  Words command(const std::string& model, const Words& more = {}) const {
    return Words{"train",
                 "--source",
                 folder.path("train.en"),
                 "--target",
                 folder.path("train.de"),
                 "--valid-source",
                 folder.path("dev.en"),
                 "--valid-target",
                 folder.path("dev.de"),
                 "--model",
                 folder.path(model),
                 "--threads",
                 "1",
                 "--text.type",
                 "words",
                 "--arch.d-model",
                 "16",
                 "--arch.encoder.layers",
                 "1",
                 "--arch.decoder.layers",
                 "1",
                 "--valid.every",
                 "10"} +
           more;
  }
  nlohmann::json scores(const std::string& model, const Words& more) const {
    const Result result = heed(command(model, Words{"--train.max-steps", "10"} + more));
    EXPECT_EQ(result.code, 0) << result.errors;
    errors = result.errors;
    return last_validation(folder, model);
  }

  Folder folder;
  mutable std::string errors;
};

TEST_F(ValidationSearch, HasItsOwnBeamWithoutGroupsAndWithoutSampling) {
  const auto greedy = scores("greedy", {}), beam = scores("beam", {"--valid.beam", "4"});
  EXPECT_EQ(scores("grouped", {"--search.beam", "4", "--search.groups", "2"}), greedy);
  EXPECT_NE(errors.find("valid.beam 1 (greedy); `heed translate` has search.beam 4 in search.groups 2"),
            std::string::npos)
      << errors;
  EXPECT_EQ(scores("sampled", {"--search.method", "sample", "--valid.beam", "4"}), beam);
  EXPECT_NE(errors.find("valid.beam 4; `heed translate` has search.method sample"), std::string::npos) << errors;
  EXPECT_EQ(heed({"translate", "--model", folder.path("grouped"), "--threads", "1"}, "one two\n").code, 0);
  EXPECT_EQ(heed({"translate", "--model", folder.path("sampled"), "--threads", "1"}, "one two\n").code, 0);
}

TEST_F(ValidationSearch, OfAResumedTrainingSaysWhereScoresDoNotCompare) {
  scores("m", {});
  const Words on{"--train.max-steps", "20"};
  const Result resumed = heed(command("m", on + Words{"--search.no-repeat-ngram", "2", "--search.beam", "3"}));
  ASSERT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_NE(resumed.errors.find("search.no-repeat-ngram 2 (was 0); scores before and after cannot be compared"),
            std::string::npos)
      << resumed.errors;
  EXPECT_NE(resumed.errors.find("search.beam 3 (was 5)\n"), std::string::npos) << resumed.errors;
}

TEST_F(ValidationSearch, RefusesWhatTheModelCannotDoBeforeAnyWork) {
  const Result result =
      heed(command("m", {"--preset", "rnn-sutskever", "--arch.encoder.hidden", "16", "--arch.decoder.hidden", "16",
                         "--train.max-steps", "1", "--search.coverage-penalty", "0.2"}));
  expect_error(result, 2,
               "`search.coverage-penalty` must be 0 with `arch.decoder.attention` = none: it needs attention to the "
               "source");
  EXPECT_FALSE(std::filesystem::exists(folder.path("m")));
}

}  // namespace
}  // namespace heed::end_to_end
