// report.html: a page about a training, or about several side by side (pages/run.js).
#pragma once

#include <span>
#include <string>

#include "heed/report/run_history.h"

namespace heed::report {

/// The file names of the page and of the history in a model directory.
inline constexpr const char* kRunPage = "report.html";
inline constexpr const char* kRunHistory = "metrics.jsonl";
/// In a model directory: the validation text's references, and what the best model so far wrote for them. Both have a
/// line for each, so that `heed evaluate --reference valid.references valid.translations` scores them.
inline constexpr const char* kValidReferences = "valid.references";
inline constexpr const char* kValidTranslations = "valid.translations";

/// A training as its page shows it.
struct Run {
  std::string name;  ///< that the page shows
  std::string directory;
  RunHistory history;
  std::string facts;  ///< run_facts()
};
/// Reads all files. Throws FileError; InputError if there is no training in the directory.
Run read_run(const std::string& directory, const std::string& name);

/// The data of the page. comparison: JSON of compare_runs() (run_comparison.h); empty: none.
std::string run_page_data(std::span<const Run> runs, const std::string& comparison = {});
/// The page.
std::string run_page(std::span<const Run> runs, const std::string& comparison = {});

}  // namespace heed::report
