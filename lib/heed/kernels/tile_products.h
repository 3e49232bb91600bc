// Products of bytes and of bfloat16 on Intel's matrix unit (AMX): registers that hold tiles of 16 rows of 64 bytes, and
// one instruction that multiplies two of them. A packed weight is laid out as its right tiles are.
#pragma once

#include "heed/kernels/product_parts.h"

namespace heed::kernels {

/// bfloat16_product() and byte_product() of product_kernels.h, where has_tile_products() (processor.h).
void bfloat16_tiles(const Operands& operands);
void byte_tiles(const Operands& operands, const ByteScales& scales);

}  // namespace heed::kernels
