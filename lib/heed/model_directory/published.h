// A training may publish a better model and remove checkpoints while another command reads its model directory.
#pragma once

#include <exception>
#include <string>

namespace heed::checkpoint {

/// The manifest of a model directory and which checkpoints there are, as text to compare: as long as it is the same, no
/// training has published anything.
std::string publication(const std::string& model);

/// Returns `read()`, which reads files of a model directory. When it throws although a training has published since it
/// began, it is called again: what it read was partly old and partly new. Throws what the last call threw.
template <class Read>
auto read_published(const std::string& model, const Read& read) {
  constexpr int kMostReads = 50;
  for (int count = 1;; ++count) {
    const std::string before = publication(model);
    try {
      return read();
    } catch (const std::exception&) {
      if (count == kMostReads || publication(model) == before) throw;
    }
  }
}

}  // namespace heed::checkpoint
