// The identity encoder: the output is the source itself (heed/architecture/identity_options.h).
#pragma once

#include "heed/architecture/identity_options.h"
#include "heed_torch/models/common/encoder.h"

namespace heed::models {

class IdentityEncoder : public Encoder {
 public:
  /// dropout: on the states.
  IdentityEncoder(double dropout, std::shared_ptr<SourceReader> source);

 protected:
  Memory encode(const SourceStates& source) override;

 private:
  double dropout_;
};

}  // namespace heed::models
