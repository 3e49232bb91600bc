#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <string_view>

#include "bindings.h"
#include "heed/command_line/option_list.h"
#include "heed/core/error.h"
#include "heed/core/exception_text.h"
#include "heed/core/text/printable.h"
#include "heed_torch/config/run_options.h"

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

/// Whether this is the name of an option in a section, such as `search.n-best`.
bool has_section(std::string_view name) {
  static const std::map<std::string, std::string> kSections = [] {
    config::RunOptions run;
    return config::list_options(config::visit_options(run)).sections;
  }();
  const size_t dot = name.find('.');
  return dot != name.npos && kSections.contains(std::string(name.substr(0, dot)));
}

/// The sentence with Python's names of options: `search.n_best` for `--search.n-best` and `search.n-best`. A name
/// without a section and without `--` is an option if the sentence begins with it.
std::string with_names_of_python(const std::string& sentence) {
  static const std::regex kName("`(--)?([a-z][a-z0-9.-]*)(?=[` ])");
  std::string renamed;
  auto end = sentence.begin();
  for (std::sregex_iterator at(sentence.begin(), sentence.end(), kName), none; at != none; ++at) {
    std::string name = (*at)[2].str();
    if (!(*at)[1].matched && at->position() > 0 && !has_section(name)) continue;
    std::ranges::replace(name, '-', '_');
    renamed.append(end, (*at)[0].first).append("`").append(name);
    end = (*at)[0].second;
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
  error.attr("__doc__") =
      "An error of heed. Its message is the sentence that the command prints, with Python's names of options.";
  module.attr("InputError").attr("__doc__") = "Text or another file has an error.";
  module.attr("ConfigError").attr("__doc__") = "An option does not exist, does not apply or has a wrong value.";
  module.attr("CheckpointError").attr("__doc__") = "A model directory is incomplete or damaged.";
  module.attr("FileError").attr("__doc__") = "The operating system refused an operation on a file.";
}

}  // namespace heed::python
