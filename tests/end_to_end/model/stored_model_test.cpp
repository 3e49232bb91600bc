// Models that earlier versions wrote must load for ever.
#include <gtest/gtest.h>

#include <cstdlib>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"

namespace heed::end_to_end {
namespace {

std::string stored(const std::string& file) {
  return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1/" + file;
}

TEST(StoredModel, OfFormatVersion1TranslatesAsItDid) {
  const Result result = heed({"translate", "--model", stored("")}, read_file(stored("input.txt")));
  EXPECT_EQ(result.code, 0) << result.errors;
  EXPECT_EQ(result.output, read_file(stored("expected.txt")));
}

}  // namespace
}  // namespace heed::end_to_end
