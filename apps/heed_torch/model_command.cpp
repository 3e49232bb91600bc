#include "model_command.h"

#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "heed/api/purpose.h"
#include "heed/core/error.h"
#include "heed/data/corpus/spooled_files.h"
#include "heed_torch/config/device.h"
#include "heed_torch/translation/lines/line_length.h"
#include "progress.h"

namespace heed::apps {

OpenedTorchModel open_model(const ModelUse& options) {
  require_model(options);
  const at::Device device = config::pick_device(options.device);
  config::use_threads(options.threads);
  return {device, config::open_model(options.model, options.checkpoint, device)};
}

void require_translation_model(const ModelUse& options, const OpenedTorchModel& model, const std::string& option) {
  api::require_purpose(api::Purpose::Translation, options.model, model.opened.options.arch, option);
}
void require_language_model(const ModelUse& options, const OpenedTorchModel& model, const std::string& option) {
  api::require_purpose(api::Purpose::LanguageModel, options.model, model.opened.options.arch, option);
}
void require_head(const ModelUse& options, const OpenedTorchModel& model, const std::string& option) {
  api::require_purpose(api::Purpose::Prediction, options.model, model.opened.options.arch, option);
}

ModelUse beside(ModelUse use, const std::string& directory, const std::string& option) {
  if (directory.empty()) throw ConfigError("--" + option, "must name directories of models, but one name is empty");
  use.model = directory;
  use.checkpoint = "";
  return use;
}

void describe_pairs(data::CorpusFiles& files, data::TextFormat& format, OptionVisitor& visit) {
  visit("source", files.source, "text that was translated: files (.gz too), or - for standard input");
  visit("target", files.target, "its translations: line N translates line N of the source");
  visit("pairs", files.pairs, "both in files of lines SOURCE TAB TARGET, instead of source and target");
  data::describe_table(format, visit);
}

data::TextFormat format_of(const ModelUse& use, data::TextFormat format) {
  format.invalid_text = use.invalid_text;
  return format;
}

void require_source(const data::CorpusFiles& files) {
  if (!files.has_source()) throw ConfigError("source", "is missing: the text that was translated");
}

void read_pairs(const data::CorpusFiles& files, const data::TextFormat& format, const PairBlocks& blocks,
                const TakePairs& take) {
  data::validate(files);
  data::validate(format, !files.pairs.empty(), "");
  std::optional<int64_t> all;
  if (!data::has_stream(files)) all = data::inspect_pairs(files, format, "");
  Progress progress(blocks.results);
  data::PairReader reader(files, format);
  std::vector<std::string> sources, targets;
  const auto flush = [&] {
    try {
      if (!sources.empty()) take(sources, targets);
    } catch (const translation::LineTooLong& error) {
      const int64_t first = reader.pairs() - std::ssize(sources);
      throw reader.error_at(first + static_cast<int64_t>(error.pair()),
                            error.side() == translation::LineTooLong::Side::Source, error.what());
    }
    sources.clear();
    targets.clear();
    progress.lines("pairs", reader.pairs(), all);
  };
  for (data::TextPair pair; reader.next(pair);) {
    sources.push_back(std::move(pair.source));
    targets.push_back(std::move(pair.target));
    if (sources.size() == blocks.pairs) flush();
  }
  flush();
  if (!all) reader.log_advice("");
}

}  // namespace heed::apps
