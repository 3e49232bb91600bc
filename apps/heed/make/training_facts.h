// What a training has reported in its metrics.jsonl.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heed::apps::make {

struct TrainingFacts {
  double tokens_per_second = 0;  ///< target tokens, between the first report and the last; 0: too few steps
  double steps_per_second = 0;
  double epoch_tokens = 0;  ///< target tokens of a pass over the text
  double epoch_steps = 0;
  double steps = 0, epochs = 0, elapsed = 0;  ///< at the last event
  double parameters = 0;
  double train_loss = 0;
  bool finished = false;  ///< the final model is chosen
  struct Validation {
    double step = 0;
    std::map<std::string, double> scores;
    bool best = false;
  };
  std::vector<Validation> validations;
};

/// Reads the log of the training in a model directory. Throws FileError.
TrainingFacts read_training_facts(const std::string& model);

}  // namespace heed::apps::make
