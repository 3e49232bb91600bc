// The sources that a command reads for a model: lines of text, items that are vectors, or both.
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

/// Where sources stand.
struct SourceFiles {
  std::vector<std::string> text;  ///< empty: standard input, of a model that reads text
  ItemFiles items;
};

class SourceInput {
 public:
  /// text: absent for a model that reads vectors alone. items: null for one that reads text alone.
  SourceInput(std::optional<Input> text, std::vector<std::string> files, std::unique_ptr<const SourceItems> items);

  /// Throws InputError where there are more lines than items, or more items than lines.
  bool next(translation::SourceLine& source);
  /// See Input::on_wait.
  void on_wait(const std::function<void()>& tell) {
    if (text_) text_->on_wait(tell);
  }
  /// See Input::check; of items alone, their number.
  std::optional<int64_t> check(const Input::Look& look = {}) const;
  /// See Input::place; of sources with text.
  Input::Place place() const { return text_->place(); }
  /// All files, for a look at whether one would be written over.
  const std::vector<std::string>& files() const { return files_; }
  /// Whether someone types the lines.
  bool is_terminal() const;

 private:
  std::optional<Input> text_;
  std::vector<std::string> files_;
  std::unique_ptr<const SourceItems> items_;
  int64_t next_ = 0;
};

/// Opens what the model reads. Throws ConfigError where another kind of source is given or one is missing, and what
/// opening files throws.
SourceInput open_sources(const SourceFiles& files, const ModelUse& use, const UsedModel& model);

}  // namespace heed::apps
