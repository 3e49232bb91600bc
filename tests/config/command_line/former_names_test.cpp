#include "heed/command_line/former_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "heed/command_line/settings.h"
#include "heed/command_line/settings_file.h"

namespace heed::config {
namespace {

TEST(FormerNames, AnErrorAlsoHasTheNameThatWasTyped) {
  const std::vector<std::string> typed{"train", "--data.mix", "a=1", "--train.max-updates=0", "--", "--data.steps"};
  EXPECT_EQ(with_typed_names("`--train.max-steps` must be 1", typed),
            "`--train.max-steps` must be 1; `--train.max-updates` is now `--train.max-steps`");
  EXPECT_EQ(with_typed_names("`data.corpus-weights` has no effect with `train.max-steps`", typed),
            "`data.corpus-weights` has no effect with `train.max-steps`; `--data.mix` is now `--data.corpus-weights`; "
            "`--train.max-updates` is now `--train.max-steps`");
  EXPECT_EQ(with_typed_names("`data.bptt-length` must be 1", typed), "`data.bptt-length` must be 1") << "not an option";
  EXPECT_EQ(with_typed_names("`train.max-steps-more` must be 1", typed), "`train.max-steps-more` must be 1");
}

TEST(FormerNames, AnErrorInAFileHasTheNameOfTheFile) {
  const Layer settings = parse_settings("[train]\nmax-updates = 1\n", "run.toml");
  ASSERT_EQ(settings.size(), 1U);
  EXPECT_EQ(settings[0].name, "train.max-steps");
  EXPECT_EQ(settings[0].shown(), "run.toml:2: `train.max-updates` (now `train.max-steps`)");
}

}  // namespace
}  // namespace heed::config
