#include "heed/core/error.h"

#include "bindings.h"

namespace nb = nanobind;

namespace heed::python {

void add_errors(nb::module_& module) {
  // The last that is registered is tried first.
  const nb::exception<Error> error(module, "Error");
  nb::exception<InputError>(module, "InputError", error.ptr());
  nb::exception<ConfigError>(module, "ConfigError", error.ptr());
  nb::exception<CheckpointError>(module, "CheckpointError", error.ptr());
  nb::exception<FileError>(module, "FileError", error.ptr());
  error.attr("__doc__") = "What stops a command of heed: one sentence, the one that the command prints.";
  module.attr("InputError").attr("__doc__") = "Text or another file is not what it must be.";
  module.attr("ConfigError").attr("__doc__") =
      "An option has a value it cannot have, does not exist or does not apply.";
  module.attr("CheckpointError").attr("__doc__") = "A model directory lacks something or is damaged.";
  module.attr("FileError").attr("__doc__") = "The operating system refused an operation on a file.";
}

}  // namespace heed::python
