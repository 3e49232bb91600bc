#include "heed_torch/models/common/decoder.h"

#include <c10/util/Exception.h>

namespace heed::models {

void Decoder::check_memory(const Memory* memory, bool expected) {
  TORCH_CHECK((memory != nullptr) == expected,
              expected ? "this decoder needs a memory" : "a language model has no memory");
}

void Decoder::check_tokens(const Tensor& tokens, const DecoderState& state) {
  TORCH_CHECK(tokens.dim() == 2 && tokens.size(0) == state.position.size(0), "`tokens` must be [",
              state.position.size(0), ", beam], found ", tokens.sizes());
}

Decoded Decoder::read_on(const Tensor&, std::vector<CellState>&) {
  TORCH_CHECK(false, "this decoder's state grows with the text: it cannot be carried on");
}

}  // namespace heed::models
