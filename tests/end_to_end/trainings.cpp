#include "end_to_end/trainings.h"

namespace heed::end_to_end {

void write_numbers(const Folder& folder, const std::string& name, const Words& words, int count) {
  std::string source, target;
  for (int i = 0; i < count; ++i) {
    std::string line, reversed;
    for (int k = 0, number = i * i + 3; k < 2 + i % 4; ++k, number /= 3) {
      const std::string& word = words[static_cast<size_t>(number) % words.size()];
      line += (k > 0 ? " " : "") + word;
      reversed = word + (k > 0 ? " " : "") + reversed;
    }
    source += line + '\n';
    target += reversed + '\n';
  }
  folder.file(name + ".en", source);
  folder.file(name + ".de", target);
}

nlohmann::json last_event(const Folder& folder, const std::string& model, const std::string& type) {
  nlohmann::json found;
  for (const std::string& line : lines_of(folder.read(model + "/metrics.jsonl"))) {
    if (auto event = nlohmann::json::parse(line); event["type"] == type) found = std::move(event);
  }
  return found;
}

nlohmann::json last_validation(const Folder& folder, const std::string& model) {
  return last_event(folder, model, "validation")["scores"];
}

}  // namespace heed::end_to_end
