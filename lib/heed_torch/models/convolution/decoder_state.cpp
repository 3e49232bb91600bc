#include "heed_torch/models/convolution/decoder_state.h"

#include <ATen/ATen.h>

#include "heed_torch/models/common/rows.h"

namespace heed::models {

void ConvolutionState::select(const Selection& going_on) {
  going_on.check_beam(past.front().size(1));
  const Tensor& sentences = going_on.sentences();
  if (!going_on.keeps_sentences(position.size(0))) {
    memory = {.keys = selected(memory.keys, sentences),
              .values = selected(memory.values, sentences),
              .real = selected(memory.real, sentences),
              .lengths = selected(memory.lengths, sentences)};
  }
  position = position.index_select(0, sentences);
  for (Tensor& inputs : past) inputs = continued(inputs, going_on);
}

void ConvolutionState::join(DecoderState&& admitted) {
  auto& other = dynamic_cast<ConvolutionState&>(admitted);
  TORCH_CHECK(other.past.size() == past.size(), "only states of the same decoder can be joined");
  for (size_t i = 0; i < past.size(); ++i) past[i] = joined(past[i], other.past[i]);
  memory = {.keys = joined(memory.keys, other.memory.keys, 1),
            .values = joined(memory.values, other.memory.values, 1),
            .real = joined(memory.real, other.memory.real, 2, false),
            .lengths = joined(memory.lengths, other.memory.lengths)};
  position = at::cat({position, other.position});
}

}  // namespace heed::models
