#include "source_input.h"

#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"

namespace heed::apps {

SourceInput::SourceInput(std::optional<Input> text, std::vector<std::string> files,
                         std::unique_ptr<const SourceItems> items)
    : text_(std::move(text)), files_(std::move(files)), items_(std::move(items)) {}

bool SourceInput::next(translation::SourceLine& source) {
  source = {};
  const bool has_line = text_ && text_->next(source.text);
  if (!items_) return has_line;
  const bool has_item = next_ < items_->size();
  if (text_ && has_line != has_item) {
    const std::string lines = has_line ? "are more lines" : fmt::format("are {} lines", next_);
    throw InputError(items_->path(), 0,
                     fmt::format("has {}, but there {} of text: one is needed for each line",
                                 counted(items_->size(), "item"), lines));
  }
  if (!has_item) return false;
  source.item = items_->read(next_++, text_.has_value());
  return true;
}

std::optional<int64_t> SourceInput::check(const Input::Look& look) const {
  if (text_) return text_->check(look);
  return items_->size();
}

bool SourceInput::is_terminal() const {
  return text_ && files_.front() == "-" && files_.size() == (items_ ? 2U : 1U) && isatty(STDIN_FILENO) == 1;
}

SourceInput open_sources(const SourceFiles& files, const ModelUse& use, const OpenedTorchModel& model) {
  const bool reads_text = model.opened.tokenizers.source != nullptr;
  if (!reads_text && !files.text.empty()) {
    throw ConfigError("--input", fmt::format("has no effect: {} reads only vectors", use.model));
  }
  auto items = open_items(files.items, use.model, model.opened.options);
  std::vector<std::string> text = files.text.empty() && reads_text ? std::vector<std::string>{"-"} : files.text;
  std::optional<Input> input;
  if (reads_text) input.emplace(text, use.invalid_text);
  if (items) text.push_back(items->path());
  return {std::move(input), std::move(text), std::move(items)};
}

}  // namespace heed::apps
