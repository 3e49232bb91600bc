// Whether the terms that a checkpoint saved (StateTerms, training_state.h) are those of this start.
#pragma once

#include <string_view>

namespace heed::training {

/// Terms are text, "NAME VALUE, NAME VALUE". They are compared by name: another version of heed may list more or fewer
/// options, in another order, or under former names (former_names.h). before: this version's terms of the options in
/// config.toml. An option that `saved` does not name had the value in `before`. A name that only `saved` has is of
/// another version, and does not count. The checksums of the text ("valid-target file 1 SUM") must all be the same.
bool terms_hold(std::string_view saved, std::string_view before, std::string_view now);

}  // namespace heed::training
