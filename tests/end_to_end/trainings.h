// What the tests of trainings share.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"

namespace heed::end_to_end {

/// Writes NAME.en, `count` lines of some of the words, and NAME.de, the same in reverse order.
void write_numbers(const Folder& folder, const std::string& name, const Words& words, int count);

/// The newest event of a type in a training's metrics.jsonl; null: there is none.
nlohmann::json last_event(const Folder& folder, const std::string& model, const std::string& type);
/// The scores of the newest validation.
nlohmann::json last_validation(const Folder& folder, const std::string& model);

}  // namespace heed::end_to_end
