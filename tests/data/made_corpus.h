// Corpora made for a test.
#pragma once

#include <memory>
#include <string>

#include "data/number_tokenizer.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/random.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "support/temporary_directory.h"

namespace heed::testing {

/// `pairs` pairs of numbers, from 1 to `longest` a side, the lengths of the two sides alike; a function of `seed`.
struct MadeCorpus {
  explicit MadeCorpus(int64_t pairs, uint64_t longest = 20, uint64_t seed = 1) {
    std::string source;
    std::string target;
    RandomStream random(seed, Purpose::Test);
    for (int64_t i = 0; i < pairs; ++i) {
      const uint64_t length = 1 + random.below(longest);
      const uint64_t other = std::max<uint64_t>(1, length + random.below(5) - std::min<uint64_t>(length, 2));
      for (uint64_t j = 0; j < other; ++j) source += std::to_string(4 + random.below(900)) + " ";
      for (uint64_t j = 0; j < length; ++j) target += std::to_string(4 + random.below(900)) + " ";
      source += "\n";
      target += "\n";
    }
    write_file(directory.file("source"), source);
    write_file(directory.file("target"), target);
    files = {.source = {directory.file("source")}, .target = {directory.file("target")}, .pairs = {}};
  }

  std::shared_ptr<const data::EncodedCorpus> encoded(const data::CorpusOptions& options = {}) const {
    data::build_corpus(directory.file("corpus"), files, number_tokenizers(), options);
    return std::make_shared<const data::EncodedCorpus>(directory.file("corpus"));
  }

  TemporaryDirectory directory;
  data::CorpusFiles files;
};

}  // namespace heed::testing
