#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/report/alignment_report.h"
#include "heed_torch/translation/predictor.h"
#include "item_maps.h"
#include "model_command.h"
#include "output.h"
#include "progress.h"
#include "source_input.h"

namespace heed::apps {
namespace {

enum class PredictionFormat { Text, Json };
constexpr auto option_names(PredictionFormat) {
  return std::array{std::pair{PredictionFormat::Text, "text"}, std::pair{PredictionFormat::Json, "json"}};
}

struct PredictCommand {
  ModelUse use;
  std::vector<std::string> input;
  ItemFiles items;
  std::string output = "-";
  std::string attention;
  std::vector<std::string> ensemble;
  PredictionFormat format = PredictionFormat::Text;
  translation::PredictorOptions predictor;
};
void describe(PredictCommand& o, OptionVisitor& visit) {
  describe(o.use, visit);
  visit("input", o.input, "text, line by line: files (.gz too), or - for standard input, which is the default");
  describe(o.items, visit);
  visit("output", o.output, "file for the predictions, or - for standard output");
  visit("attention", o.attention,
        "also write to `FILE` what decided, if the model pools by attention or has channel attention: heat maps of the "
        "words, the image's places and the feature maps (.html, .svg), or their weights (.json)");
  visit("ensemble", o.ensemble,
        "model directories that predict together with the model: probabilities and numbers are averaged");
  visit("format", o.format,
        "text: the label, the labels or the numbers of a line; json: an object a line, with probabilities");
  describe(o.predictor, visit);
}

const config::CommandHelp kPredictHelp{
    .usage = "heed predict --model DIR [options] < TEXT > PREDICTIONS",
    .summary =
        R"(Predicts for each line what the model was trained for with `--task`: its label (classification), a label for
each of its words (labelling), or numbers (regression). Line N of the output belongs to line N of the input,
and a blank line stays blank. `heed evaluate` compares predictions with references.

With --format json, each line is an object: `label`, `labels` or `numbers`, and the `probabilities` of labels.
If the model pools by attention, the object also has its `tokens` and the `attention` to each of them, which
shows the words that decided; --attention FILE.html draws it. If the model has channel attention
(`arch.vectors.channel-attention`), the file also shows the weights of the feature maps.)",
    .examples = R"(  heed predict --model models/language < test.txt > test.labels
  heed evaluate --reference gold.labels --metric accuracy test.labels
  heed predict --model models/language --format json < test.txt
  heed predict --model models/language --attention decided.html < test.txt > test.labels)",
    .common = {"model", "input", "output", "attention", "ensemble", "format", "checkpoint", "device", "threads",
               "batch-tokens"},
};

constexpr size_t kLinesPredictedAtOnce = 4096;

/// JSON with float32 numbers, written in the fewest digits that identify them.
using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, int64_t, uint64_t, float>;

/// Makes the JSON object of each line.
class Describer {
 public:
  explicit Describer(const text::Tokenizers& tokenizers) : tokenizers_(tokenizers) {}

  std::string object(const translation::Prediction& prediction) const {
    Json object;
    std::visit([&](const auto& predicted) { add(object, predicted); }, prediction.predicted);
    if (!prediction.item_attention.empty()) object["item_attention"] = prediction.item_attention;
    if (!prediction.attention.empty()) {
      std::vector<std::string> tokens;
      for (const int32_t id : prediction.source) tokens.push_back(tokenizers_.source->piece(id));
      object["tokens"] = tokens;
      object["attention"] = prediction.attention;
    }
    return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

 private:
  /// A blank line has a null label.
  void add(Json& object, const translation::PredictedClass& predicted) const {
    object["label"] = nullptr;
    if (!predicted.label) return;
    object["label"] = tokenizers_.target->piece(*predicted.label);
    object["probabilities"] = probabilities(predicted.probabilities);
  }
  void add(Json& object, const translation::PredictedWords& predicted) const {
    object["labels"] = names(predicted.labels);
    Json list = Json::array();
    for (const auto& values : predicted.probabilities) list.push_back(probabilities(values));
    object["probabilities"] = list;
  }
  static void add(Json& object, const translation::PredictedNumbers& predicted) {
    object["numbers"] = predicted.numbers;
  }
  std::vector<std::string> names(const std::vector<int32_t>& labels) const {
    std::vector<std::string> names;
    for (const int32_t label : labels) names.push_back(tokenizers_.target->piece(label));
    return names;
  }
  Json probabilities(const std::vector<float>& values) const {
    Json object;
    for (size_t label = 0; label < values.size(); ++label) {
      object[tokenizers_.target->piece(static_cast<int32_t>(label))] = values[label];
    }
    return object;
  }

  const text::Tokenizers& tokenizers_;
};

/// Writes attention maps, if requested.
class Deciding {
 public:
  Deciding(const PredictCommand& command, const OpenedTorchModel& model)
      : tokenizers_(model.opened.tokenizers), maps_(model), of_items_(command.items.any()) {
    if (command.attention.empty()) return;
    report::check_picture_file("--attention", command.attention);
    const auto format = report::alignment_format_of(command.attention);
    if (!format) throw ConfigError("--attention", "must be a file that ends in .html, .svg or .json");
    const models::ArchitectureOptions& arch = model.opened.options.arch;
    if (!models::pools_by_attention(arch.head) && !models::has_channel_attention(arch.vectors)) {
      throw ConfigError("--attention", fmt::format("needs a model that pools by attention (`arch.head.pooling`) or has "
                                                   "channel attention (`arch.vectors.channel-attention`), which that "
                                                   "in {} does not",
                                                   command.use.model));
    }
    output_.emplace(command.attention);
    report_ = report::AlignmentReport(
        {.format = *format, .title = "What decided, by " + command.use.model, .of_items = of_items_});
  }

  void add(const translation::SourceLine& line, const translation::Prediction& prediction, const std::string& said) {
    if (!output_) return;
    text::Alignment words{.source = {}, .target = {said}, .weights = {prediction.attention}};
    if (!prediction.attention.empty()) {
      for (const int32_t id : prediction.source) words.source.push_back(tokenizers_.source->piece(id));
    }
    if (!of_items_) return output_->write(report_.add(words));
    text::AlignmentWeights weights;
    if (!prediction.item_attention.empty()) weights.push_back(prediction.item_attention);
    output_->write(report_.add(maps_.of(line.item.get(), std::move(words), std::move(weights))));
  }
  /// The output, which the caller must finish; null without --attention.
  Output* end() {
    if (!output_) return nullptr;
    output_->write(report_.finish());
    return &*output_;
  }

 private:
  const text::Tokenizers& tokenizers_;
  ItemMaps maps_;
  bool of_items_;
  report::AlignmentReport report_{{}};
  std::optional<Output> output_;
};

/// Reads the lines in blocks and writes the predictions.
class Predicting {
 public:
  Predicting(const translation::Predictor& predictor, const OpenedTorchModel& model, const PredictCommand& command)
      : predictor_(predictor),
        describer_(model.opened.tokenizers),
        deciding_(command, model),
        command_(command),
        output_(command.output),
        progress_(command.output) {}

  /// answering: answer each line before the next one is read.
  void predict_input(SourceInput& input, bool answering) {
    all_ = input.check();  // finds errors before any prediction
    std::vector<translation::SourceLine> lines;
    for (translation::SourceLine line; input.next(line);) {
      lines.push_back(std::move(line));
      if (!answering && lines.size() < kLinesPredictedAtOnce) continue;
      predict(lines);
      lines.clear();
    }
    predict(lines);
  }
  void finish() {
    std::vector<Output*> outputs{&output_};
    if (Output* shown = deciding_.end()) outputs.push_back(shown);
    finish_all(outputs);
    progress_.end_line();
    if (cut_ == 0) return;
    log_warning(fmt::format("{} longer than the model can read at once: {}", counted(cut_, "line"),
                            predictor_.labels_words() ? "labelled in parts" : "predicted from their beginning only"));
  }

 private:
  void predict(const std::vector<translation::SourceLine>& lines) {
    const std::vector<translation::Prediction> predictions = predictor_.predict_all(lines);
    std::string text;
    for (size_t i = 0; i < lines.size(); ++i) {
      const translation::Prediction& made = predictions[i];
      const std::string said = predictor_.text(made);
      text += (command_.format == PredictionFormat::Json ? describer_.object(made) : said) + '\n';
      deciding_.add(lines[i], made, said);
      cut_ += made.cut ? 1 : 0;
    }
    output_.write(text);
    done_ += std::ssize(lines);
    progress_.lines("lines", done_, all_);
    if (command_.output == "-") flush_output();  // a program may be waiting for it
  }

  const translation::Predictor& predictor_;
  Describer describer_;
  Deciding deciding_;
  const PredictCommand& command_;
  Output output_;
  Progress progress_;
  std::optional<int64_t> all_;  // total number of lines, if known
  int64_t done_ = 0, cut_ = 0;
};

int predict(PredictCommand& command, const config::Arguments&) {
  const OpenedTorchModel model = open_model(command.use);
  require_head(command.use, model);
  SourceInput input = open_sources({.text = command.input, .items = command.items}, command.use, model);
  require_other_than_inputs("--output", command.output, input.files());
  translation::Predictor predictor(model.opened.model, model.opened.tokenizers, command.predictor, model.device);
  for (const std::string& directory : command.ensemble) {
    const ModelUse use = beside(command.use, directory, "ensemble");
    const OpenedTorchModel member = open_model(use);
    require_head(use, member, "ensemble");
    predictor.add_model(member.opened.model, member.opened.tokenizers, "ensemble " + directory);
  }
  if (!command.attention.empty()) {
    require_other_than_inputs("--attention", command.attention, input.files());
    require_two_outputs("--attention", command.attention, "--output", command.output);
  }
  Predicting predicting(predictor, model, command);
  predicting.predict_input(input, input.is_terminal());
  predicting.finish();
  return 0;
}

}  // namespace

config::Command predict_command() {
  return with_options<PredictCommand>({.name = "predict", .help = kPredictHelp}, predict);
}

}  // namespace heed::apps
