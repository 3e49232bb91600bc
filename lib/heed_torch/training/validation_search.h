// How validation searches for translations.
#pragma once

#include <cstdint>

#include "heed/search/search_options.h"

namespace heed::training {

/// The search options of validation: beam search for one translation per line, with validation's beam size
/// (valid.beam). Validation does not sample, since its scores would be random. It has no groups of the beam, which only
/// make n-best lists diverse. If search::validate accepts the options, it also accepts the result.
search::SearchOptions validation_search(search::SearchOptions options, int64_t beam);

}  // namespace heed::training
