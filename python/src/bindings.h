// The parts of the module heed._heed.
#pragma once

#include <nanobind/nanobind.h>

namespace heed::python {

/// heed.Error and its kinds: what heed throws, with the sentence that the command prints.
void add_errors(nanobind::module_& module);
/// Warnings and other messages go to Python's logging, logger "heed".
void add_log(nanobind::module_& module);
void add_tokenizers(nanobind::module_& module);
void add_translator(nanobind::module_& module);
void add_metrics(nanobind::module_& module);
void add_training(nanobind::module_& module);

}  // namespace heed::python
