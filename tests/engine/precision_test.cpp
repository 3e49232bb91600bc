#include "heed/engine/common/precision.h"

#include <gtest/gtest.h>

#include "heed/kernels/vector_code.h"

namespace heed::engine {
namespace {

TEST(Precision, AutoIsTheNarrowestThatTheProcessorHasInstructionsFor) {
  const Precision chosen = precision_of(PrecisionChoice::Auto);
  const bool bytes = kernels::has_avx512_vnni() || kernels::has_dot_product();
  EXPECT_EQ(chosen == Precision::Int8, bytes);
  EXPECT_EQ(chosen == Precision::BFloat16, !bytes && kernels::has_avx512_bf16());
  EXPECT_EQ(precision_of(PrecisionChoice::Float32), Precision::Float32);
  EXPECT_EQ(precision_of(PrecisionChoice::BFloat16), Precision::BFloat16);
  EXPECT_EQ(precision_of(PrecisionChoice::Int8), Precision::Int8);
}

}  // namespace
}  // namespace heed::engine
