#include "heed/config/run_options.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "heed/config/base_settings.h"
#include "heed/config/command_line/settings_file.h"
#include "heed/config/presets.h"
#include "heed/config/task_rules.h"
#include "heed/config/training_model.h"
#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/core/files/path_patterns.h"
#include "heed/core/text/unicode.h"
#include "heed/models/model.h"
#include "heed/nn/attention/idf_table.h"
#include "heed/text/tokenizer.h"

namespace heed::config {
namespace {

/// The value of an option with names as the last layer has it. A name that does not exist is refused when the layers
/// are applied.
template <class Enum>
std::optional<Enum> named_value(const std::vector<Layer>& layers, std::string_view option) {
  std::optional<Enum> value;
  for (const Layer& layer : layers) {
    for (const Setting& setting : layer) {
      if (setting.name != option || setting.values.size() != 1) continue;
      if (const auto named = enum_value<Enum>(setting.values[0])) value = named;
    }
  }
  return value;
}

void validate_text(const LearnedTokenizers& learned, const RunOptions& run) {
  const models::ArchitectureOptions& arch = run.arch;
  text::validate(learned.options);
  if (arch.tied_embeddings == models::TiedEmbeddings::All && !learned.options.joint) {
    throw ConfigError("arch.tied-embeddings",
                      "must be `decoder` or `none` with `text.joint` = false, as two vocabularies share no table, but "
                      "is `all`");
  }
}

void validate_text(const GivenTokenizers& given, const RunOptions& run) {
  const bool of_source = run.corpus.has_source();
  const bool missing = (of_source ? given.source : given.target).empty();
  const char* option = of_source ? "text.source-tokenizer" : "text.target-tokenizer";
  if (missing) throw ConfigError(option, "is missing: name the tokenizer's file");
}

void validate_streams(const RunOptions& options) {
  int64_t standard_inputs = 0;
  for (const auto* corpus : {&options.corpus, &options.valid_corpus}) {
    for (const auto& file : data::all_files(*corpus)) standard_inputs += file.path == "-";
  }
  if (standard_inputs > 1) throw ConfigError("standard input (-) is named twice; it can be read only once");
}

bool is_in_epochs(const std::string& value) {
  try {
    return parse_amount(value).unit == AmountUnit::Epochs;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// Nobody knows how far a stream's only epoch is.
void refuse_epochs(const RunOptions& options) {
  if (options.train.max_epochs) {
    throw ConfigError("train.max-epochs", "must be none with `data.shuffle-buffer`: a stream is read once");
  }
  constexpr auto kAmounts = std::to_array<std::string_view>(
      {"train.schedule.", "train.scheduled-sampling.", "train.save-every", "valid.every", "log.every"});
  RunOptions walked = options;
  for (const OptionValue& option : option_values(walk_of(walked))) {
    const bool is_amount =
        std::ranges::any_of(kAmounts, [&](std::string_view name) { return option.name.starts_with(name); });
    if (!is_amount || option.values.size() != 1 || !is_in_epochs(option.values[0])) continue;
    throw ConfigError(option.name,
                      fmt::format("must be in updates or tokens with `data.shuffle-buffer`, as a stream is "
                                  "read once, but is {}",
                                  option.values[0]));
  }
}

/// Whether tokenizers would be learned from a text without end.
bool learns_from_all(const TextOptions& options) {
  const auto* learned = std::get_if<LearnedTokenizers>(&options.tokenizers);
  if (learned == nullptr) return false;
  const auto has_no_limit = [](const auto& type) {
    if constexpr (requires { type.subwords; }) return !type.subwords.sample_megabytes.has_value();
    return false;
  };
  return std::visit(has_no_limit, learned->options.type);
}

/// What text that is read once, and not stored, cannot give.
void validate_shuffle_buffer(const RunOptions& options) {
  if (!data::shuffle_buffer_of(options.data.stream)) return;
  const auto& sentences = std::get<data::SentenceContext>(options.data.stream.context);
  const auto fail = [](const std::string& reason) {
    throw ConfigError("data.shuffle-buffer", "must be none " + reason);
  };
  const data::SentenceContext usual;
  if (sentences.shuffle_window != usual.shuffle_window) fail("with `data.shuffle-window`, which is of stored text");
  if (!sentences.mix.empty()) fail("with `data.mix`: what is mixed must be stored");
  if (options.corpus.has_vectors()) fail("with vectors, pictures or sounds as sources: they are read from files");
  if (target_kind(options.task) != text::TargetKind::Text) {
    fail(fmt::format("with `task` = {}, for which the whole text is looked at before training",
                     enum_name(options.task)));
  }
  const int64_t size = text::kEos + 1;
  const auto model = std::make_shared<models::Model>(
      options.arch, models::VocabularySizes{.source = options.corpus.has_source() ? size : 0, .target = size});
  if (nn::has_idf_table(*model)) fail("with an attention that counts in how many lines a word is");
  if (learns_from_all(options.text) && !options.base.gives_tokenizers()) {
    throw ConfigError("text.sample-megabytes",
                      "must be a number with `data.shuffle-buffer`: so much of the stream is read to learn from");
  }
  refuse_epochs(options);
}

/// config.toml cannot hold other text.
void validate_utf8(const RunOptions& options) {
  RunOptions walked = options;
  for (const OptionValue& option : option_values(walk_of(walked))) {
    for (const std::string& text : option.values) {
      if (!first_invalid_utf8(text)) continue;
      throw ConfigError(option.name, fmt::format("must be UTF-8, but is `{}`: give the file another name, or a link "
                                                 "with another name",
                                                 replace_invalid_utf8(text)));
    }
  }
}

/// Refuses sentences that the architecture has no positions for.
void validate_lengths(const RunOptions& options) {
  const int64_t size = text::kEos + 1;
  const models::Model model(options.arch, {.source = options.corpus.has_source() ? size : 0, .target = size});
  const auto check_limit = [](const char* name, int64_t tokens, int64_t added, std::optional<int64_t> positions,
                              const char* limit) {
    if (!positions || tokens + added <= *positions) return;
    throw ConfigError(name, fmt::format("must be at most {}, as the model has {} positions ({}), but is {}",
                                        *positions - added, *positions, limit, tokens));
  };
  constexpr int64_t kEnd = 1, kBegin = 1;  // the decoder reads no end
  const data::CorpusOptions& limits = options.data.corpus;
  const bool of_score = model.decoder && model.decoder->max_source_length() == model.max_source_length();
  check_limit("data.max-source-length", limits.max_source_length, kEnd, model.max_source_length(),
              of_score ? "arch.decoder.max-source" : "arch.encoder.max-length");
  check_limit("data.max-target-length", limits.max_target_length, kBegin, model.max_target_length(),
              "arch.decoder.max-length");
}

bool needs_validation(std::string_view option) {
  return option == "train.keep-best" || (option.starts_with("valid.") && option != "valid.every");
}

/// Refuses values that would have an effect only with validation text.
void validate_without_dev(const RunOptions& preset, const RunOptions& options) {
  RunOptions before = preset;
  RunOptions now = options;
  for (const Difference& difference : differences(walk_of(before), walk_of(now))) {
    const bool given = !difference.after.empty();  // else it went with another alternative
    if (given && needs_validation(difference.name)) {
      throw ConfigError(difference.name, "has no effect without validation text: give it, or leave this option out");
    }
  }
}

bool has_validation_text(const RunOptions& options) {
  return !options.valid_corpus.target.empty() || !options.valid_corpus.pairs.empty();
}

/// Where vectors of the source come from.
constexpr auto kVectorFiles = std::to_array<std::pair<const char*, std::string data::CorpusFiles::*>>({
    {"source-vectors", &data::CorpusFiles::vectors},
    {"source-pictures", &data::CorpusFiles::pictures},
    {"source-sounds", &data::CorpusFiles::sounds},
});

/// No text, of which the source could have embeddings.
bool has_vectors_alone(const RunOptions& options) {
  return options.corpus.has_vectors() && !options.corpus.has_source();
}

bool has_two_vocabularies(const RunOptions& options) {
  const auto* learned = std::get_if<LearnedTokenizers>(&options.text.tokenizers);
  return learned && !learned->options.joint;
}

/// A default that follows from another choice: where `follows` holds for all that was chosen, `adjust` changes the
/// preset, which every option given by the user still overwrites.
struct FollowingDefault {
  bool (*follows)(const RunOptions& chosen);
  void (*adjust)(RunOptions& preset);
};

constexpr auto kFollowingDefaults = std::to_array<FollowingDefault>({
    {[](const RunOptions& chosen) { return !has_validation_text(chosen); },
     [](RunOptions& preset) {
       preset.valid.patience = 0;
       if (const auto* best = std::get_if<training::AverageOfBest>(&preset.train.average)) {
         preset.train.average = training::AverageOfLast{.count = best->count};
       }
     }},
    {[](const RunOptions& chosen) { return chosen.train.max_tokens || chosen.train.max_epochs; },
     [](RunOptions& preset) { preset.train.max_updates.reset(); }},
    {[](const RunOptions& chosen) { return chosen.corpus.has_vectors() && !chosen.arch.vectors.any(); },
     [](RunOptions& preset) { preset.arch.vectors.type = models::ProjectedVectors{}; }},
    {[](const RunOptions& chosen) {
       return chosen.arch.has_encoder() && !std::holds_alternative<models::RnnEncoderOptions>(chosen.arch.encoder.type);
     },
     [](RunOptions& preset) {  // no last states to begin with
       auto* decoder = std::get_if<models::RnnDecoderOptions>(&preset.arch.decoder.type);
       if (decoder && !std::holds_alternative<models::ZeroState>(decoder->initial_state)) {
         decoder->initial_state = models::MeanState{};
       }
     }},
    {[](const RunOptions& chosen) { return has_two_vocabularies(chosen) || has_vectors_alone(chosen); },
     [](RunOptions& preset) {
       if (preset.arch.tied_embeddings == models::TiedEmbeddings::All)
         preset.arch.tied_embeddings = models::TiedEmbeddings::Decoder;
     }},
});

RunOptions applied(RunOptions preset, const std::vector<Layer>& layers) {
  apply_layers(walk_of(preset), layers);
  return preset;
}

/// The preset with the defaults that follow from what the layers choose.
RunOptions adjusted(RunOptions preset, const std::vector<Layer>& layers) {
  const RunOptions chosen = applied(preset, layers);
  for (const FollowingDefault& rule : kFollowingDefaults) {
    if (rule.follows(chosen)) rule.adjust(preset);
  }
  return preset;
}

/// The first versions had SentencePiece's byte-pair encoding under the name that subword-nmt's has now.
void rename_old_bpe(Layer& saved) {
  const auto named = [&](std::string_view name) { return std::ranges::find(saved, name, &Setting::name); };
  const auto type = named("text.type");
  if (type == saved.end() || type->values != std::vector<std::string>{"bpe"} || named("text.coverage") == saved.end())
    return;
  type->values = {"sentencepiece-bpe"};
}

}  // namespace

text::TargetKind target_kind(Task task) {
  switch (task) {
    case Task::Classification:
      return text::TargetKind::Class;
    case Task::Labelling:
      return text::TargetKind::WordLabels;
    case Task::Regression:
      return text::TargetKind::Numbers;
    case Task::Translation:
    case Task::LanguageModel:
      break;
  }
  return text::TargetKind::Text;
}

void describe(RunOptions& o, OptionVisitor& visit) {
  visit("preset", o.preset, "set of options to start from; all other options overwrite it");
  visit("task", o.task,
        "train a translation model, a language model of the target text alone, or a model that gives each source a "
        "label (classification), each of its words a label (labelling), or numbers (regression)");
  visit(
      "source", o.corpus.source,
      "training text, source side: files (.gz too), patterns such as 'news.*.en.gz' (in quotes), lists of them as @LIST, or - "
      "for standard input");
  visit("source-vectors", o.corpus.vectors,
        "training vectors: item N is the source of target line N, or with `source` stands beside its text: frames of "
        "sound, regions of pictures, pixels, series; `FILE.npy` or FILE.safetensors");
  visit("source-pictures", o.corpus.pictures,
        "training pictures, instead of vectors: `LIST` of PNG files, one path a line, relative to the list");
  visit("source-sounds", o.corpus.sounds,
        "training sounds, instead of vectors: `LIST` of sound files (WAV, FLAC, ...), one path a line");
  visit("target", o.corpus.target,
        "training text, target side: line N translates line N "
        "of the source; for a language model its training text; or labels, or numbers, of that line");
  visit("pairs", o.corpus.pairs, "training text in files of lines SOURCE TAB TARGET, instead of source and target");
  visit(
      "weights", o.corpus.weights,
      "sentence weights: files with a number on each line, what the loss of the pair of that line counts; 0 leaves it "
      "out");
  visit("weight-column", o.corpus.weight_column, "lines of pairs have a third column, the weight of the pair");
  visit("valid-source", o.valid_corpus.source, "validation text, source side");
  visit("valid-source-vectors", o.valid_corpus.vectors, "validation vectors, as source-vectors");
  visit("valid-source-pictures", o.valid_corpus.pictures, "validation pictures, as source-pictures");
  visit("valid-source-sounds", o.valid_corpus.sounds, "validation sounds, as source-sounds");
  visit("valid-target", o.valid_corpus.target,
        "validation text, target side: the references; for a language model its validation text");
  visit("valid-pairs", o.valid_corpus.pairs,
        "validation text in files of lines SOURCE TAB TARGET, instead of valid-source and valid-target");
  visit("model", o.model, "model directory; a training that began there before goes on");
  describe(o.base, visit);
  visit("seed", o.seed, "seed of all random numbers", at_least(0));
  visit("device", o.device, "device to compute on: cpu, cuda, cuda:N, or auto for a GPU if there is one");
  visit("threads", o.threads, "CPU threads; 0: one for each core", between(0, 1024));
  visit.section("text", o.text, "tokenizers");
  visit.section("data", o.data, "training data: which pairs are used, and how they become batches");
  describe(o.media, visit);
  visit.section("arch", o.arch, "architecture of the model");
  visit.section("vectors", o.vectors, "word vectors as initial embeddings");
  visit.section("train", o.train, "training: optimizer, learning rate, limits, checkpoints");
  visit.section("valid", o.valid, "validation and early stopping");
  visit.section("search", o.search, "search: defaults of the model's translations");
  visit.section("log", o.log, "log");
  visit.section("distributed", o.distributed, "training on several ranks: processes that a launcher started");
}

void validate(const RunOptions& options) {
  if (options.model.empty()) throw ConfigError("model", "is missing: name the directory for the model");
  validate_utf8(options);
  validate_base(options);
  validate_task(options);
  data::validate(options.corpus);
  data::validate(options.data.corpus.filters);
  const data::CorpusFiles& valid = options.valid_corpus;
  const bool has_valid = valid != data::CorpusFiles{};
  if (has_valid) data::validate(valid, "valid-");
  validate_streams(options);
  validate_shuffle_buffer(options);
  if (has_valid && valid.has_source() != options.corpus.has_source()) {
    throw ConfigError("valid-source", "must be given where `source` is, and only there");
  }
  for (const auto& [name, side] : kVectorFiles) {
    if (!has_valid || (valid.*side).empty() == (options.corpus.*side).empty()) continue;
    throw ConfigError(fmt::format("valid-{}", name), fmt::format("must be given where `{}` is, and only there", name));
  }
  if (!options.corpus.sounds.empty()) media::validate(options.media.sounds);
  if (options.arch.has_encoder() && !options.corpus.has_source() && !options.corpus.has_vectors()) {
    throw ConfigError("`source` is missing: the text to translate from, or `source-vectors`");
  }
  if (options.arch.vectors.any() != options.corpus.has_vectors()) {
    throw ConfigError("arch.vectors.type", options.corpus.has_vectors()
                                               ? "cannot be none with vectors, pictures or sounds as sources"
                                               : "must be none without `source-vectors`, pictures or sounds");
  }
  std::visit([&](const auto& tokenizers) { validate_text(tokenizers, options); }, options.text.tokenizers);
  models::validate(options.arch);
  validate(options.vectors, options.arch);
  validate_lengths(options);
  training::validate(options.train, options.valid, options.log, has_valid);
  validate_trained(options);
  const bool continuous = std::holds_alternative<data::TextContext>(options.data.stream.context);
  training::validate_readings(options.train, options.arch, continuous);
  search::validate(options.search.search);
}

Preset named_preset(const std::vector<Layer>& layers) {
  const bool language_model = named_value<Task>(layers, "task") == Task::LanguageModel;
  return named_value<Preset>(layers, "preset").value_or(language_model ? Preset::LmTransformer : RunOptions{}.preset);
}

namespace {

/// In the place of patterns and lists the files that they stand for.
void name_files(data::CorpusFiles& files, const std::string& prefix) {
  files.source = expand_paths(files.source, prefix + "source");
  files.target = expand_paths(files.target, prefix + "target");
  files.pairs = expand_paths(files.pairs, prefix + "pairs");
  files.weights = expand_paths(files.weights, prefix + "weights");
}

}  // namespace

RunOptions read_run_options(const std::vector<std::string>& files, const std::vector<Setting>& command_line) {
  std::vector<Layer> layers;
  for (const std::string& file : files) layers.push_back(read_settings(file));
  layers.push_back(command_line);
  if (Layer base = base_settings(layers); !base.empty()) layers.insert(layers.begin(), std::move(base));
  // Applied by itself: whoever chooses another alternative than the preset's begins with that alternative's defaults.
  RunOptions named = preset_options(named_preset(layers));
  if (const auto task = named_value<Task>(layers, "task")) adjust_to_task(named, *task);
  const RunOptions preset = adjusted(std::move(named), layers);
  RunOptions options = applied(preset, layers);
  name_files(options.corpus, "");
  name_files(options.valid_corpus, "valid-");
  if (!has_validation_text(options)) validate_without_dev(preset, options);
  refuse_options_of_other_task(preset, options);
  return options;
}

RunOptions read_saved_options(const std::string& path) {
  return read_saved_options(path, [](std::string_view) { return true; });
}

RunOptions read_saved_options(const std::string& path, const std::function<bool(std::string_view name)>& wanted) {
  RunOptions options;
  Layer saved = read_settings(path);
  rename_old_bpe(saved);
  std::erase_if(saved, [&](const Setting& setting) { return !wanted(setting.name); });
  apply_layers(walk_of(options), {saved});
  return options;
}

std::string format_options(const RunOptions& options) {
  RunOptions walked = options;
  return format_settings(walk_of(walked));
}

}  // namespace heed::config
