// How validation searches for translations.
#pragma once

#include <cstdint>

#include "heed/search/search_options.h"

namespace heed::training {

/// The options of a model's translations as validation uses them: beam search for one translation per line with
/// validation's own beam (valid.beam). Sampling (its scores would be chance) and groups of the beam (which make
/// n-best lists diverse) are of translations later. What search::validate accepts, it accepts of the result too.
search::SearchOptions validation_search(search::SearchOptions options, int64_t beam);

}  // namespace heed::training
