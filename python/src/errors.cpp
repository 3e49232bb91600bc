#include <exception>
#include <filesystem>

#include "bindings.h"
#include "heed/core/error.h"
#include "heed/core/exception_text.h"
#include "heed/core/text/printable.h"

namespace nb = nanobind;

namespace heed::python {
namespace {

/// The classes of Python's module, which owns them.
struct Kinds {
  PyObject* error;
  PyObject* input;
  PyObject* config;
  PyObject* checkpoint;
  PyObject* file;
};
Kinds kinds;

void raise(PyObject* kind, const std::exception& error) {
  PyErr_SetString(kind, printable_message(sentence_of(error)).c_str());
}

/// Raises heed's exceptions with the sentence as the commands print it; lets others pass.
void raise_as_python(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise(kinds.input, error);
  } catch (const ConfigError& error) {
    raise(kinds.config, error);
  } catch (const CheckpointError& error) {
    raise(kinds.checkpoint, error);
  } catch (const FileError& error) {
    raise(kinds.file, error);
  } catch (const Error& error) {
    raise(kinds.error, error);
  } catch (const std::filesystem::filesystem_error& error) {
    raise(kinds.file, error);
  }
}

}  // namespace

void add_errors(nb::module_& module) {
  const nb::exception<Error> error(module, "Error");
  kinds = {.error = error.ptr(),
           .input = nb::exception<InputError>(module, "InputError", error.ptr()).ptr(),
           .config = nb::exception<ConfigError>(module, "ConfigError", error.ptr()).ptr(),
           .checkpoint = nb::exception<CheckpointError>(module, "CheckpointError", error.ptr()).ptr(),
           .file = nb::exception<FileError>(module, "FileError", error.ptr()).ptr()};
  nb::register_exception_translator(raise_as_python);  // the last that is registered is tried first
  error.attr("__doc__") = "What stops a command of heed: one sentence, the one that the command prints.";
  module.attr("InputError").attr("__doc__") = "Text or another file is not what it must be.";
  module.attr("ConfigError").attr("__doc__") =
      "An option has a value it cannot have, does not exist or does not apply.";
  module.attr("CheckpointError").attr("__doc__") = "A model directory lacks something or is damaged.";
  module.attr("FileError").attr("__doc__") = "The operating system refused an operation on a file.";
}

}  // namespace heed::python
