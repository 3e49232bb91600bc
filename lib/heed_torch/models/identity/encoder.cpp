#include "heed_torch/models/common/encoder.h"

#include <utility>

#include "heed/architecture/identity_options.h"
#include "heed_torch/nn/random/dropout.h"

namespace heed::models {
namespace {

/// The output is the source itself (heed/architecture/identity_options.h).
class IdentityEncoder : public Encoder {
 public:
  /// dropout: on the states.
  IdentityEncoder(double dropout, std::shared_ptr<SourceReader> source)
      : Encoder(std::move(source)), dropout_(dropout) {}

 protected:
  Memory encode(const SourceStates& source) override {
    return {.states = nn::dropout(source.states, dropout_, is_training()),
            .mask = source.real,
            .tokens = source.tokens,
            .last = {}};
  }

 private:
  double dropout_;
};

}  // namespace

std::shared_ptr<Encoder> make_encoder(const IdentityEncoderOptions&, double dropout,
                                      std::shared_ptr<SourceReader> source) {
  return std::make_shared<IdentityEncoder>(dropout, std::move(source));
}

}  // namespace heed::models
