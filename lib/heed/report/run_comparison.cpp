#include "heed/report/run_comparison.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/command_line/settings_file.h"
#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/chrf.h"
#include "heed/metrics/reports/score_report.h"

namespace heed::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr int64_t kSamples = 1000;
constexpr const char* kSeed = "12345";  // sacreBLEU's

/// The options of BLEU in a training's [valid] section.
metrics::BleuOptions bleu_options(const std::string& directory) {
  constexpr std::string_view kSection = "valid.";
  metrics::BleuOptions options;
  const std::string path = directory + "/config.toml";
  if (!std::filesystem::exists(path)) return options;
  const config::OptionList known = config::list_options(config::visit_options(options));
  config::Layer layer;
  for (config::Setting setting : config::read_model_settings(path)) {
    if (!setting.name.starts_with(kSection)) continue;
    setting.name.erase(0, kSection.size());
    if (known.find(setting.name)) layer.push_back(std::move(setting));
  }
  config::apply_layers(config::visit_options(options), {layer});
  return options;
}

/// The lines of a file in a model directory, which may come from an untrusted source.
std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream text(read_regular_file(path));
  for (std::string line; std::getline(text, line);) lines.push_back(replace_invalid_utf8(line));
  return lines;
}

/// The translations of a training, absent if it has none of this text. references: empty before the first.
std::optional<std::vector<std::string>> translations_of(const Run& run, std::vector<std::string>& references) {
  const std::string path = run.directory + "/" + kValidTranslations;
  if (!std::filesystem::exists(path)) return std::nullopt;
  std::vector<std::string> given = lines_of(run.directory + "/" + kValidReferences), made = lines_of(path);
  if (made.size() != given.size()) {
    throw InputError(
        path, 0,
        fmt::format("has {}, but {} has {}", counted(std::ssize(made), "line"), kValidReferences, given.size()));
  }
  if (references.empty()) references = given;
  return given == references ? std::optional(std::move(made)) : std::nullopt;
}

Json metric_results(const metrics::PairedTest& test, const metrics::MeasuredSystems& measured) {
  const metrics::MetricColumn column =
      std::move(metrics::paired_columns(test, {measured}, {.bootstrap_samples = test.samples}, kSeed)[0]);
  Json results = Json::array();
  for (const metrics::PairedResult& result : column.results) {
    results.push_back({{"score", result.score},
                       {"mean", result.confidence->mean},
                       {"margin", result.confidence->half_width},
                       {"p", result.p_value ? Json(*result.p_value) : Json(nullptr)}});
  }
  return {{"name", column.name}, {"signature", column.signature.text()}, {"results", results}};
}

}  // namespace

std::string compare_runs(std::span<const Run> runs, int64_t threads) {
  Json systems = Json::array();
  std::vector<std::vector<std::string>> translations;
  std::vector<std::string> references;
  for (const Run& run : runs) {
    auto made = translations_of(run, references);
    if (!made) continue;
    systems.push_back({{"name", run.name}, {"step", run.history.best_step()}});
    translations.push_back(std::move(*made));
  }
  if (translations.size() < 2 || references.empty()) {
    return Json{
        {"reason",
         fmt::format("No significance: it needs {} and {} of the same validation text in two model directories. "
                     "Trainings of this version of heed write them.",
                     kValidReferences, kValidTranslations)}}
        .dump();
  }
  const metrics::NumpySeed seed = metrics::NumpySeed::parse(kSeed);
  const metrics::PairedTest test{.method = metrics::PairedMethod::Bootstrap,
                                 .samples = kSamples,
                                 .seed = seed,
                                 .baseline_seed = seed,
                                 .threads = threads};
  const metrics::Bleu bleu(bleu_options(runs[0].directory));
  const metrics::Chrf chrf;
  const auto lines = std::ssize(references);
  const auto all = metrics::References::from_files({std::move(references)});
  Json results = Json::array();
  for (const metrics::Metric* metric :
       {static_cast<const metrics::Metric*>(&bleu), static_cast<const metrics::Metric*>(&chrf)}) {
    metrics::MeasuredSystems measured{*metric, {}};
    for (const auto& made : translations) measured.systems.push_back(metric->extract(made, all, threads));
    results.push_back(metric_results(test, measured));
  }
  return Json{{"systems", systems}, {"metrics", results}, {"samples", kSamples}, {"lines", lines}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace heed::report
