// The commands of the stages of `heed make`.
#pragma once

#include <string>
#include <vector>

#include "make/make_options.h"
#include "make/stage_runner.h"

namespace heed::apps::make {

using Words = std::vector<std::string>;

/// The files that heed make makes, and the commands that make them.
class StageCommands {
 public:
  StageCommands(const MakeOptions& options, const MakeInput& input);

  /// DIR/make/NAME
  std::string made(const std::string& name) const { return options_.model + "/make/" + name; }
  /// DIR/make/data/PART.en and PART.de
  std::string source(const std::string& part) const;
  std::string target(const std::string& part) const;
  /// The directory of the larger model, from which a small one learns.
  std::string teacher() const { return made("teacher"); }

  Stage report() const;
  Stage filter() const;
  /// The stages that make train, valid and test. pairs: of the validation text, and of the test text.
  std::vector<Stage> split(int64_t pairs) const;
  Stage sample(int64_t pairs) const;
  /// A short training in DIR/make/measure/NAME. settings: its configuration file. part: its text. tokenizers: of
  /// another such training; empty: it learns them.
  Stage measure(const std::string& name, const std::string& settings, const std::string& part,
                const std::string& tokenizers, double seconds) const;
  Stage train(const std::string& name, const std::string& model, const std::string& settings, const std::string& target,
              double deadline) const;
  /// Ends a training that a deadline has stopped.
  Stage end_training(const std::string& name, const std::string& model, double minutes) const;
  Stage translate(const std::string& name, const std::string& purpose, const std::string& model,
                  const std::string& input, const std::string& output, const Words& more = {}) const;
  /// The larger model translates the training text for a small one.
  Stage distill(const Words& more = {}) const;
  /// Scores translations of a part of the text into `output`. metrics: options.
  Stage evaluate(const std::string& name, const std::string& purpose, const std::string& part, const Words& systems,
                 const std::string& output, const Words& more) const;
  Stage set_length_penalty(const std::string& alpha) const;

 private:
  Stage convert(const std::string& part, const Words& from) const;
  Words data(const std::string& command) const;
  Words input() const;
  Words held_out() const;
  Words pair_of(const std::string& prefix, const std::string& part) const;
  bool has_documents() const { return !options_.input.document_field.empty(); }

  const MakeOptions& options_;
  const MakeInput& input_;
};

}  // namespace heed::apps::make
