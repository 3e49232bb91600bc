// The options of `heed make`, and what it reads from its input before it begins.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "data/corpus_options.h"
#include "heed/core/options.h"
#include "make/make_record.h"

namespace heed::apps::make {

/// What the model is for. Speed: a small model that learns from a larger one.
enum class MakeGoal { Quality, Speed };
constexpr auto option_names(MakeGoal) {
  return std::array{std::pair{MakeGoal::Quality, "quality"}, std::pair{MakeGoal::Speed, "speed"}};
}

struct MakeOptions {
  CorpusInput input;
  HeldOutInput held_out;
  std::string model;
  double hours = 1;
  MakeGoal goal = MakeGoal::Quality;
  bool plan = false;
  std::vector<std::string> config;
  int64_t block_lines = 20;
  int64_t threads = 0;

  bool gives_valid() const { return !held_out.valid_target.empty() || !held_out.valid_pairs.empty(); }
  bool gives_test() const { return !held_out.test_target.empty() || !held_out.test_pairs.empty(); }
};
void describe(MakeOptions& o, OptionVisitor& visit);

/// What is known before the first stage.
struct MakeInput {
  int64_t pairs = 0;
  double target_words = 0;
  std::string source_ending, target_ending;  ///< of the files that are made: "en", "de"
  std::string tokenize;                      ///< BLEU's tokenizer for the target: 13a, or char without spaces
  Json request;                              ///< the options and the checksums of all files
};

/// Replaces folders by the files in them.
void expand_folders(MakeOptions& options);
/// Reads all text once. Throws ConfigError for options that do not go together, and FileError and InputError for
/// unreadable text: so an error is known before anything is written.
MakeInput read_input(const MakeOptions& options);

}  // namespace heed::apps::make
