#include <algorithm>
#include <exception>
#include <filesystem>
#include <regex>
#include <string>

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

/// The sentence with Python's names of options: `search.n_best` for `--search.n-best`, and, where an error begins with
/// the name of an option, for `search.n-best`.
std::string with_names_of_python(const std::string& sentence) {
  static const std::regex option("`--[a-z][a-z0-9.-]*`|^`[a-z][a-z0-9.-]*`");
  std::string renamed;
  auto end = sentence.begin();
  for (std::sregex_iterator at(sentence.begin(), sentence.end(), option), none; at != none; ++at) {
    renamed.append(end, (*at)[0].first);
    end = (*at)[0].second;
    std::string name = at->str();
    if (name.starts_with("`--")) name.erase(1, 2);
    std::ranges::replace(name, '-', '_');
    renamed += name;
  }
  return renamed.append(end, sentence.end());
}

void raise(PyObject* kind, const std::exception& error, bool of_options = false) {
  const std::string sentence = printable_message(sentence_of(error));
  PyErr_SetString(kind, (of_options ? with_names_of_python(sentence) : sentence).c_str());
}

/// Raises heed's exceptions with the sentence as the commands print it; lets others pass.
void raise_as_python(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise(kinds.input, error);
  } catch (const ConfigError& error) {
    raise(kinds.config, error, /*of_options=*/true);
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
