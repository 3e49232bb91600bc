#include "heed/report/run_history.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <nlohmann/json.hpp>

#include "heed/core/text/json_nesting.h"

namespace heed::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kMostMaps = 64;    // attention maps of a sample
constexpr size_t kMostNotes = 200;  // warnings and changes that a page shows

/// The event, with today's names.
Json event_of(std::string_view line) {
  if (is_nested_deeper(line)) return {};
  Json event = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!event.is_object()) return {};
  for (const auto& [before, now] : {std::pair{"update", "step"}, std::pair{"products", "matmul"}}) {
    if (event.contains(before) && !event.contains(now)) event[now] = event[before];
  }
  return event;
}

double number(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? found->get<double>() : kNone;
}

/// A step as a whole number. Anything else is 0.
int64_t whole(double step) { return step >= 0 && step < 1e15 ? std::llround(step) : 0; }

std::string text(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

template <size_t count>
std::array<double, count> numbers(const Json& object, const std::array<const char*, count>& names) {
  std::array<double, count> found{};
  for (size_t i = 0; i < count; ++i) found[i] = number(object, names[i]);
  return found;
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// With at most six significant digits; null if it is not finite.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::round(value) && std::abs(value) < 1e15) return static_cast<int64_t>(value);
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
  const double near = std::round(value * scale) / scale;
  return std::isfinite(near) ? near : value;
}

Json parsed(const std::vector<std::string>& events) {
  Json array = Json::array();
  for (const std::string& event : events) array.push_back(Json::parse(event));
  return array;
}

template <size_t count>
void add_arrays(Json& object, const std::array<const char*, count>& names) {
  for (const char* name : names) object[name] = Json::array();
}

/// The mean of a curve's values in these reports, without missing ones; null: all are missing.
Json mean_value(const auto& reports, size_t curve) {
  double sum = 0;
  int64_t count = 0;
  for (const auto& report : reports) {
    if (std::isnan(report.values[curve])) continue;
    sum += report.values[curve];
    ++count;
  }
  return count == 0 ? Json(nullptr) : rounded(sum / static_cast<double>(count));
}

/// The curves of a training's reports, at the places of the last report of each group.
Json training_curves(const auto& reports, size_t most_points, const auto& places, const auto& curves) {
  Json train = Json::object();
  add_arrays(train, places);
  add_arrays(train, curves);
  const size_t group = (reports.size() + most_points - 1) / std::max<size_t>(most_points, 1);
  for (size_t begin = 0; begin < reports.size(); begin += group) {
    const auto some = std::span(reports).subspan(begin, std::min(group, reports.size() - begin));
    for (size_t i = 0; i < places.size(); ++i) train[places[i]].push_back(rounded(some.back().at[i]));
    for (size_t i = 0; i < curves.size(); ++i) train[curves[i]].push_back(mean_value(some, i));
  }
  return train;
}

/// All scores of all validations; null: a validation does not have the score.
Json validation_curves(const auto& validations, const auto& places) {
  Json curves = Json::object();
  add_arrays(curves, places);
  curves["best"] = Json::array();
  std::map<std::string, Json> scores;
  for (const auto& validation : validations) {
    for (const auto& [name, score] : validation.scores) scores.emplace(name, Json::array());
  }
  for (const auto& validation : validations) {
    for (size_t i = 0; i < places.size(); ++i) curves[places[i]].push_back(rounded(validation.at[i]));
    curves["best"].push_back(validation.best);
    for (auto& [name, values] : scores) {
      const auto score = validation.scores.find(name);
      values.push_back(score == validation.scores.end() ? Json(nullptr) : rounded(score->second));
    }
  }
  curves["scores"] = scores;
  return curves;
}

void keep_newest(std::vector<std::string>& notes, std::string note) {
  notes.push_back(std::move(note));
  if (notes.size() > kMostNotes) notes.erase(notes.begin());
}

/// Adds a map. Of too many, every second is left out.
void keep_some(std::vector<std::pair<int64_t, std::string>>& maps, int64_t step, std::string map) {
  maps.emplace_back(step, std::move(map));
  if (maps.size() <= kMostMaps) return;
  size_t kept = 0;
  for (size_t i = 0; i < maps.size(); i += 2) maps[kept++] = maps[i];
  maps.resize(kept);
}

}  // namespace

void RunHistory::add_all(std::string_view lines) {
  for (size_t end; (end = lines.find('\n')) != lines.npos; lines.remove_prefix(end + 1)) add(lines.substr(0, end));
}

void RunHistory::add(std::string_view line) {
  const Json event = event_of(line);
  if (event.is_null()) return;
  const std::string type = text(event, "type");
  if (type == "start") {
    starts_.push_back(dump(event));
    stop_.clear();
    finish_.clear();
  } else if (type == "train") {
    train_.push_back({.at = numbers(event, kPlaces), .values = numbers(event, kCurves)});
    last_report_ = dump(event);
    if (event.contains("seconds") && event["seconds"].is_object()) {
      for (const auto& [phase, seconds] : event["seconds"].items()) {
        if (seconds.is_number()) seconds_[phase == "update" ? "optimizer" : phase] += seconds.get<double>();
      }
    }
  } else if (type == "validation") {
    Validation& validation = validations_.emplace_back(Validation{.at = numbers(event, kPlaces), .scores = {}});
    validation.best = event.contains("best") && event["best"] == true;
    if (event.contains("scores") && event["scores"].is_object()) {
      for (const auto& [name, score] : event["scores"].items()) {
        if (score.is_number()) validation.scores[name] = score.get<double>();
      }
    }
    if (const double seconds = number(event, "seconds"); seconds > 0) seconds_["validation"] += seconds;
    Json without_samples = event;
    without_samples.erase("samples");
    last_validation_ = dump(without_samples);
    if (!event.contains("samples") || !event["samples"].is_array()) return;
    for (const Json& shown : event["samples"]) {
      if (!shown.is_object()) continue;
      const std::string source = text(shown, "source"), reference = text(shown, "reference");
      auto sample = std::ranges::find_if(
          samples_, [&](const Sample& known) { return known.source == source && known.reference == reference; });
      if (sample == samples_.end()) sample = samples_.insert(sample, {source, reference, {}, {}});
      if (shown.contains("attention")) keep_some(sample->attention, whole(validation.at[0]), dump(shown["attention"]));
      const std::string hypothesis = text(shown, "hypothesis");
      if (!sample->hypotheses.empty() && sample->hypotheses.back().second == hypothesis) continue;
      sample->hypotheses.emplace_back(whole(validation.at[0]), hypothesis);
    }
  } else if (type == "checkpoint") {
    ++checkpoints_;
  } else if (type == "change") {
    keep_newest(changes_, dump(event));
  } else if (type == "warning") {
    keep_newest(warnings_, dump(event));
  } else if (type == "stop") {
    stop_ = dump(event);
  } else if (type == "finish") {
    finish_ = dump(event);
  }
}

int64_t RunHistory::best_step() const {
  const auto best = std::find_if(validations_.rbegin(), validations_.rend(), [](const auto& v) { return v.best; });
  return best == validations_.rend() ? -1 : whole(best->at[0]);
}

std::string RunHistory::members(size_t most_points) const {
  Json json = Json::object();
  json["starts"] = parsed(starts_);
  json["train"] = training_curves(train_, most_points, kPlaces, kCurves);
  json["validation"] = validation_curves(validations_, kPlaces);
  json["samples"] = Json::array();
  for (const Sample& sample : samples_) {
    Json& shown = json["samples"].emplace_back(
        Json{{"source", sample.source}, {"reference", sample.reference}, {"hypotheses", sample.hypotheses}});
    for (const auto& [step, map] : sample.attention) shown["attention"].push_back({step, Json::parse(map)});
  }
  json["time"] = seconds_;
  json["changes"] = parsed(changes_);
  json["warnings"] = parsed(warnings_);
  json["checkpoints"] = checkpoints_;
  const std::pair<const char*, const std::string&> last[] = {
      {"last_report", last_report_}, {"last_validation", last_validation_}, {"stop", stop_}, {"finish", finish_}};
  for (const auto& [name, event] : last) {
    if (!event.empty()) json[name] = Json::parse(event);
  }
  const std::string object = dump(json);
  return object.substr(1, object.size() - 2);
}

}  // namespace heed::report
