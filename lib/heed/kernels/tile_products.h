// Multiplications of int8 and bfloat16 matrices on Intel's matrix unit (AMX). Its registers hold tiles of 16 rows of 64
// bytes, and one instruction multiplies two tiles. A packed weight has the layout of right-hand tiles.
#pragma once

#include "heed/kernels/product_parts.h"

namespace heed::kernels {

/// Called by bfloat16_product() and byte_product() of product_kernels.h if has_amx() (vector_code.h).
void bfloat16_tiles(const Operands& operands);
void byte_tiles(const Operands& operands, const ByteScales& scales);

}  // namespace heed::kernels
