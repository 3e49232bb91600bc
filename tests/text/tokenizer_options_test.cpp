#include "heed/text/tokenizer_options.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed::text {
namespace {

using heed::testing::message_of;

class Names : public OptionVisitor {
 public:
  std::vector<std::string> seen;

 protected:
  void field(const OptionField& field) override { seen.emplace_back(field.name); }
  void enter(std::string_view, std::string_view) override {}
  void leave() override {}
};

std::vector<std::string> names(TokenizerOptions options) {
  Names visitor;
  describe(options, visitor);
  return visitor.seen;
}
std::string refusal(const TokenizerOptions& options) {
  return message_of<ConfigError>([&] { validate(options); });
}

TEST(TokenizerOptions, ListOnlyWhatTheChosenKindUses) {
  EXPECT_EQ(names({}),
            (std::vector<std::string>{"type", "vocab-size", "source-vocab-size", "target-vocab-size", "coverage",
                                      "normalizer", "source-normalizer", "target-normalizer", "user-symbols",
                                      "byte-fallback", "sample-lines", "sample-megabytes", "sampling", "joint"}));
  EXPECT_EQ(names({.type = PretokenizedOptions{}}),
            (std::vector<std::string>{"type", "minimum-count", "separator", "joint"}));
  EXPECT_EQ(names({.type = WordsOptions{}}), (std::vector<std::string>{"type", "vocab-size", "source-vocab-size",
                                                                       "target-vocab-size", "minimum-count", "joint"}));
}

TEST(TokenizerOptions, SamplingHasItsOwnOptionsOnlyWhenOn) {
  const auto listed = names({.type = UnigramOptions{.sampling = NbestSampling{}}});
  EXPECT_EQ((std::vector<std::string>(listed.end() - 4, listed.end())),
            (std::vector<std::string>{"sampling", "sampling-alpha", "sampling-nbest", "joint"}));
}

TEST(TokenizerOptions, RefuseAStreamThatEachSideWouldRead) {
  const BpeOptions codes{.codes = {"/dev/null"}};
  EXPECT_EQ(refusal({.type = codes, .joint = false}),
            "`text.codes` must name a file, which is read for each side, but `/dev/null` is a stream");
  EXPECT_EQ(refusal({.type = codes, .joint = true}), "nothing was thrown");
}

TEST(TokenizerOptions, RefuseASideSizeWithAJointVocabulary) {
  const UnigramOptions sized{.subwords = {.size = {.source_vocab_size = 100}}};
  EXPECT_EQ(refusal({.type = sized}), "`text.source-vocab-size` applies only with `text.joint` = false");
  EXPECT_EQ(refusal({.type = sized, .joint = false}), "nothing was thrown");
  EXPECT_EQ(refusal({.type = WordsOptions{.size = {.target_vocab_size = 100}}}),
            "`text.target-vocab-size` applies only with `text.joint` = false");
}

TEST(TokenizerOptions, RefuseUserSymbolsThatCannotBeOne) {
  const auto with_symbols = [](std::vector<std::string> symbols) {
    return refusal({.type = SentencePieceBpeOptions{.subwords = {.user_symbols = std::move(symbols)}}});
  };
  EXPECT_EQ(with_symbols({"<url>", "a,\"b\""}), "nothing was thrown");
  EXPECT_EQ(with_symbols({"a b"}), "`text.user-symbols` must be texts without white space, found 'a b'");
  EXPECT_EQ(with_symbols({""}), "`text.user-symbols` must be texts without white space, found ''");
  EXPECT_EQ(with_symbols({"</s>"}), "`text.user-symbols` must not name a special entry, found '</s>'");
  EXPECT_EQ(with_symbols({"x", "x"}), "`text.user-symbols` names 'x' twice");
}

TEST(TokenizerOptions, RefuseASeparatorThatCannotEndAToken) {
  EXPECT_EQ(refusal({.type = PretokenizedOptions{.separator = "@ @"}}),
            "`text.separator` must be a text without white space, found '@ @'");
  EXPECT_EQ(refusal({.type = PretokenizedOptions{.separator = ""}}),
            "`text.separator` must be a text without white space, found ''");
}

}  // namespace
}  // namespace heed::text
