#include "heed/models/decoder.h"

#include <c10/util/Exception.h>

namespace heed::models {

Decoded Decoder::read_on(const Tensor&, std::vector<CellState>&) {
  TORCH_CHECK(false, "this decoder's state grows with the text: it cannot be carried on");
}

}  // namespace heed::models
