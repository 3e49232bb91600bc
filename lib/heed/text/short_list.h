// A vocabulary shortlist: for each source token the few target tokens that may translate it. So search computes some
// hundred output tokens for a sentence instead of the whole vocabulary (Jean et al. 2015,
// https://arxiv.org/abs/1412.2007, section 3.2).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heed/core/files/mapped_file.h"

namespace heed::text {

/// The file name in a model directory.
inline constexpr const char* kShortListFile = "shortlist.safetensors";

/// The content of a shortlist.
struct ShortListContent {
  int64_t target_size = 0;                     ///< size of the target vocabulary
  std::vector<int32_t> frequent;               ///< target tokens allowed in every translation
  std::vector<std::vector<int32_t>> by_token;  ///< target tokens for each source token
};
/// Writes the shortlist to `path`, atomically. The file has the safetensors format with the int32 tensors "frequent",
/// "begins" and "tokens". Throws FileError.
void write_short_list(const std::string& path, const ShortListContent& parts);

/// A shortlist in a memory-mapped file. Thread-safe.
class ShortList {
 public:
  /// Throws FileError, and CheckpointError if the file is damaged or belongs to vocabularies of other sizes.
  ShortList(const std::string& path, int64_t source_size, int64_t target_size);

  /// The tokens allowed in a translation of this source, ascending. They are the tokens of each source token, the
  /// frequent ones, end-of-sentence and unk.
  std::vector<int32_t> tokens_for(std::span<const int32_t> source) const;

 private:
  MappedFile file_;
  std::span<const int32_t> frequent_, begins_, tokens_;
};

}  // namespace heed::text
