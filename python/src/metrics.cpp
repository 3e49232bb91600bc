#include <string>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.h"
#include "arrays.h"
#include "bindings.h"
#include "evaluate/reference_evaluation.h"
#include "heed/core/error.h"
#include "interruptible.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace heed::python {
namespace {

using apps::MeasuredText;

/// One reference for each line, or several lists of them.
std::vector<std::vector<std::string>> references_of(const nb::object& given) {
  const nb::list lists(given);
  if (lists.size() == 0 || PyUnicode_Check(nb::object(lists[0]).ptr()) != 0) return {lines_of(lists, "references")};
  std::vector<std::vector<std::string>> references;
  for (const nb::handle lines : lists) references.push_back(lines_of(lines, "references"));
  return references;
}

std::vector<MeasuredText> evaluate(const nb::object& hypotheses, const nb::object& references,
                                   const nb::kwargs& given) {
  apps::EvaluateOptions options;
  for (const char* of_files : {"reference", "tab_references", "by_length", "confusion", "figure", "worst_first"}) {
    if (given.contains(of_files)) throw ConfigError(of_files, "is an option of `heed evaluate` alone");
  }
  const config::Arguments arguments{.settings = settings_of(given), .positionals = {"hypotheses"}};
  config::apply_layers(config::visit_options(options), {arguments.settings});
  std::vector<std::string> lines = lines_of(hypotheses, "hypotheses");
  auto reference_lines = references_of(references);
  options.reference.assign(reference_lines.size(), "references");  // as messages call them
  validate(options, arguments);
  std::vector<MeasuredText> results;
  run_interruptibly(
      [&](const Interrupt&) { results = apps::evaluate_lines(options, std::move(lines), std::move(reference_lines)); });
  return results;
}

}  // namespace

void add_metrics(nb::module_& module) {
  nb::class_<MeasuredText>(module, "Score",
                           "A metric's score of a text; str() is the line that `heed evaluate` prints.")
      .def_prop_ro(
          "name", [](const MeasuredText& self) { return self.result.score.name; }, "BLEU, chrF2, TER, ...")
      .def_prop_ro(
          "value", [](const MeasuredText& self) { return self.result.score.value; }, "Most metrics: 0 to 100.")
      .def_prop_ro(
          "signature", [](const MeasuredText& self) { return self.result.signature.text(); },
          "How it was computed, in sacreBLEU's words.")
      .def_prop_ro(
          "sentences", [](const MeasuredText& self) { return array_of(self.sentences); }, kOwnsItself,
          "float64 [lines]: the score of each line, if sentence_level was asked for; else empty.")
      .def("__float__", [](const MeasuredText& self) { return self.result.score.value; })
      .def("__str__", [](const MeasuredText& self) { return self.line; })
      .def("__repr__", [](const MeasuredText& self) { return "<heed.Score " + self.line + ">"; });
  module.def(
      "evaluate", evaluate, "hypotheses"_a, "references"_a, "options"_a,
      nb::sig("def evaluate(hypotheses: collections.abc.Iterable[str], references: collections.abc.Iterable[str] | "
              "collections.abc.Iterable[collections.abc.Iterable[str]], **options) -> list[Score]"));
}

}  // namespace heed::python
