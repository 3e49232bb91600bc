// The identity encoder: decoder or head read the source's own vectors. For example, a decoder attends to regions of an
// image (Xu et al. 2015, https://arxiv.org/abs/1502.03044, section 3.1.1), or a head pools embeddings.
#pragma once

#include <memory>
#include <string_view>

#include "heed/core/options.h"

namespace heed::models {

class Encoder;       // encoder.h
class SourceReader;  // sources/source_reader.h

struct IdentityEncoderOptions {
  static constexpr std::string_view kName = "identity";
  bool operator==(const IdentityEncoderOptions&) const = default;
};
void describe(IdentityEncoderOptions&, AnyOptionVisitor auto&) {}
std::shared_ptr<Encoder> make_encoder(const IdentityEncoderOptions& options, double dropout,
                                      std::shared_ptr<SourceReader> source);

}  // namespace heed::models
