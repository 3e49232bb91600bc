// A short-list of a vocabulary: for each token of the source the few target tokens that may translate it, so that
// search looks at some hundred tokens for a sentence and not at all of them (Jean et al. 2015,
// https://arxiv.org/abs/1412.2007, section 3.2).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heed/core/files/mapped_file.h"

namespace heed::text {

/// Its file in a model directory.
inline constexpr const char* kShortListFile = "shortlist.safetensors";

/// What a short-list is made of.
struct ShortListParts {
  int64_t target_size = 0;                     ///< of the target's vocabulary
  std::vector<int32_t> frequent;               ///< tokens that may stand in any translation
  std::vector<std::vector<int32_t>> by_token;  ///< of each source token
};
/// Writes them to `path`, atomically: a file of the safetensors format with the tensors "frequent", "begins" and
/// "tokens", int32. Throws FileError.
void write_short_list(const std::string& path, const ShortListParts& parts);

/// Read where it lies in its file; any number of threads may read.
class ShortList {
 public:
  /// Throws FileError; CheckpointError where the file is damaged or is not of vocabularies of these sizes.
  ShortList(const std::string& path, int64_t source_size, int64_t target_size);

  /// The tokens that a translation of this source is chosen from, ascending: those of its tokens, the frequent ones,
  /// end-of-sentence and the token for unknown words.
  std::vector<int32_t> tokens_for(std::span<const int32_t> source) const;

 private:
  MappedFile file_;
  std::span<const int32_t> frequent_, begins_, tokens_;
};

}  // namespace heed::text
