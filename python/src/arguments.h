// What Python gives as what heed takes.
#pragma once

#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "heed/command_line/settings.h"

namespace heed::python {

/// The strings of an iterable, as UTF-8; a surrogate, which is no character, becomes bytes that are no UTF-8, so that
/// the error is that of such lines. Raises TypeError for one string, and for what is no string.
std::vector<std::string> lines_of(const nanobind::handle& lines, const char* name);

/// {"arch": {"d_model": 256}, "source": ["a", "b"]} as `--arch.d-model 256 --source a b` would be: words joined by _ or
/// -, None "none". prefix: before all names. Raises TypeError for other values than numbers, strings, None and lists of
/// them.
config::Layer settings_of(const nanobind::dict& options, const std::string& prefix = "");

}  // namespace heed::python
