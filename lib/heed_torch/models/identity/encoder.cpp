#include "heed_torch/models/identity/encoder.h"

#include <utility>

#include "heed_torch/nn/random/dropout.h"

namespace heed::models {

std::shared_ptr<Encoder> make_encoder(const IdentityEncoderOptions&, double dropout,
                                      std::shared_ptr<SourceReader> source) {
  return std::make_shared<IdentityEncoder>(dropout, std::move(source));
}

IdentityEncoder::IdentityEncoder(double dropout, std::shared_ptr<SourceReader> source)
    : Encoder(std::move(source)), dropout_(dropout) {}

Memory IdentityEncoder::encode(const SourceStates& source) {
  return {.states = nn::dropout(source.states, dropout_, is_training()),
          .mask = source.real,
          .tokens = source.tokens,
          .last = {}};
}

}  // namespace heed::models
