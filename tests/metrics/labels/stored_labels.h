// Labels and what scikit-learn and seqeval make of them (tests/reference/label_cases.py).
#pragma once

#include <string>
#include <vector>

#include "heed/metrics/references.h"
#include "support/stored_json.h"

namespace heed::metrics {

struct StoredLabels {
  std::vector<std::string> found;
  std::vector<std::string> gold;
  nlohmann::json values;

  References references() const { return References::from_files({gold}); }
  /// In percent.
  double percent(const std::string& name) const { return 100 * values.at(name).get<double>(); }
};

/// kind: "classes" or "spans".
inline std::vector<StoredLabels> stored_labels(const std::string& kind) {
  const nlohmann::json all = testing::stored_json("metrics/data/labels.json");
  std::vector<StoredLabels> cases;
  for (const nlohmann::json& stored : all.at(kind)) {
    cases.push_back({stored.at("found"), stored.at("gold"), stored});
  }
  return cases;
}

}  // namespace heed::metrics
