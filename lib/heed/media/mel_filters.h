// Triangular filters on the mel scale of Slaney's Auditory Toolbox (1998), librosa's default. The scale is linear below
// 1000 Hz and logarithmic above:
//   mel(f) = 3 f / 200                            f < 1000 Hz
//            15 + 27 ln(f / 1000) / ln 6.4        otherwise
// The frequencies f_0 ... f_{n+1} are equally spaced in mel from `low` to `high`. Filter m weights a frequency f by
//   2 / (f_{m+2} - f_m) max(0, min((f - f_m) / (f_{m+1} - f_m), (f_{m+2} - f) / (f_{m+2} - f_{m+1})))
// so that its area is 1 Hz.
#pragma once

#include <cstdint>
#include <vector>

#include "heed/media/log_mel_options.h"

namespace heed::media {

struct MelFilter {
  int64_t first = 0;            ///< index i of the first frequency with a weight; frequencies are i rate /
                                ///< transform_size
  std::vector<double> weights;  ///< of this frequency and the next ones
};

double mel_of(double hertz);
double hertz_of(double mel);

/// The filters, lowest frequency first.
std::vector<MelFilter> mel_filters(const LogMelOptions& options);

}  // namespace heed::media
