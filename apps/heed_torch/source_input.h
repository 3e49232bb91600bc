// The sources that a command reads for a model: lines of text, items with vectors, or both.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heed/translation/lines/source_line.h"
#include "input.h"
#include "model_command.h"
#include "source_items.h"

namespace heed::apps {

/// The files with the sources.
struct SourceFiles {
  std::vector<std::string> text;  ///< empty: standard input, if the model reads text
  ItemFiles items;
};

class SourceInput {
 public:
  /// text: absent if the model reads vectors only. items: null if it reads text only.
  SourceInput(std::optional<Input> text, std::vector<std::string> files, std::unique_ptr<const SourceItems> items);

  /// Throws InputError if the numbers of lines and items differ.
  bool next(translation::SourceLine& source);
  /// See Input::on_wait.
  void on_wait(const std::function<void()>& tell) {
    if (text_) text_->on_wait(tell);
  }
  /// See Input::check; without text, returns the number of items.
  std::optional<int64_t> check(const Input::Look& look = {}) const;
  /// See Input::place; only for sources with text.
  Input::Place place() const { return text_->place(); }
  /// All input files, to check that no output replaces them.
  const std::vector<std::string>& files() const { return files_; }
  /// Whether a user types the lines.
  bool is_terminal() const;

 private:
  std::optional<Input> text_;
  std::vector<std::string> files_;
  std::unique_ptr<const SourceItems> items_;
  int64_t next_ = 0;
};

/// Opens the sources that the model reads. Throws ConfigError if a source is missing or of another kind, and what
/// opening files throws.
SourceInput open_sources(const SourceFiles& files, const ModelUse& use, const OpenedTorchModel& model);

}  // namespace heed::apps
