#include "heed/command_line/similar_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heed::config {
namespace {

using Names = std::vector<std::string>;
const Names kNames{"train", "translate", "evaluate", "embeddings", "bpe", "spm"};

TEST(EditDistance, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("train", "train"), 0u);
  EXPECT_EQ(edit_distance("trian", "train"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
}

TEST(NearNames, AreThoseWithTheFewestEdits) {
  EXPECT_EQ(similar_names("trian", kNames), Names{"train"});
  EXPECT_EQ(similar_names("traslate", kNames), Names{"translate"});
  EXPECT_EQ(similar_names("evalute", kNames), Names{"evaluate"});
  EXPECT_EQ(similar_names("bpm", kNames), (Names{"bpe", "spm"}));
}

TEST(NearNames, AreThoseThatBeginSo) {
  EXPECT_EQ(similar_names("embed", kNames), Names{"embeddings"});
  EXPECT_EQ(similar_names("tra", kNames), (Names{"train", "translate"}));
  EXPECT_EQ(similar_names("tiny", Names{"transformer-tiny", "rnn-tiny-gru", "tinyness", "transformer-base"}),
            (Names{"transformer-tiny", "rnn-tiny-gru", "tinyness"}));
}

TEST(NearNames, AreNoneForOtherWords) {
  EXPECT_EQ(similar_names("decode", kNames), Names{});
  EXPECT_EQ(similar_names("x", kNames), Names{});
  EXPECT_EQ(similar_names("", kNames), Names{});
}

TEST(DidYouMean, NamesTheSimilarOnes) {
  EXPECT_EQ(did_you_mean("trian", kNames), "; did you mean `train`?");
  EXPECT_EQ(did_you_mean("bpm", kNames), "; did you mean `bpe` or `spm`?");
  EXPECT_EQ(did_you_mean("decode", kNames), "");
}

}  // namespace
}  // namespace heed::config
