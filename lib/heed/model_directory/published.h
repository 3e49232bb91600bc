// Reads a model directory while a training may publish a better model and remove checkpoints.
#pragma once

#include <exception>
#include <string>

namespace heed::checkpoint {

/// The manifest of a model directory and the list of its checkpoints, as text for comparison. While it stays the same,
/// no training has published anything.
std::string publication(const std::string& model);

/// Returns `read()`, which reads files of a model directory. It may throw because a training published in the meantime,
/// so that it read a mixture of old and new files. Then it is called again. Throws what the last call threw.
template <class Read>
auto read_consistently(const std::string& model, const Read& read) {
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
