// Triangular filters on the mel scale of Slaney's Auditory Toolbox (1998), as librosa has them by default: linear below
// 1000 Hz, logarithmic above,
//   mel(f) = 3 f / 200                            f < 1000 Hz
//            15 + 27 ln(f / 1000) / ln 6.4        otherwise
// With f_0 ... f_{n+1} at equal distances in mel from `low` to `high`, filter m has of a frequency f the weight
//   2 / (f_{m+2} - f_m) max(0, min((f - f_m) / (f_{m+1} - f_m), (f_{m+2} - f) / (f_{m+2} - f_{m+1})))
// so that its area is 1 Hz.
#pragma once

#include <cstdint>
#include <vector>

#include "heed/media/log_mel_options.h"

namespace heed::media {

struct MelFilter {
  int64_t first = 0;            ///< of the transform's frequencies, i rate / transform_size, the first with a weight
  std::vector<double> weights;  ///< of it and those that follow
};

double mel_of(double hertz);
double hertz_of(double mel);

/// The filters, lowest first.
std::vector<MelFilter> mel_filters(const LogMelOptions& options);

}  // namespace heed::media
