#include "heed_torch/config/run_settings.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "heed/architecture/stochastic_parts.h"
#include "heed/command_line/settings_file.h"
#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/core/files/path_patterns.h"
#include "heed_torch/config/base_settings.h"
#include "heed_torch/config/presets.h"
#include "heed_torch/config/task_rules.h"

namespace heed::config {
namespace {

/// Whether the source is only vectors, and no text that could have embeddings.
bool has_vectors_alone(const RunOptions& options) {
  return options.corpus.has_vectors() && !options.corpus.has_source();
}

bool has_two_vocabularies(const RunOptions& options) {
  const auto* learned = std::get_if<LearnedTokenizers>(&options.text.tokenizers);
  return learned && !learned->options.joint;
}

/// Guided alignment of a Transformer trains one head of the last layer but one (Garg et al. 2019,
/// https://arxiv.org/abs/1909.02074).
void set_guided_head(RunOptions& preset, const RunOptions& chosen) {
  const auto* transformer = std::get_if<models::TransformerDecoderOptions>(&chosen.arch.decoder.type);
  auto* adjusted = std::get_if<models::TransformerDecoderOptions>(&preset.arch.decoder.type);
  if (!transformer || !adjusted) return;
  adjusted->cross.alignment_layer = std::max<int64_t>(1, transformer->stack.layers - 1);
  adjusted->cross.alignment_head = 1;
}

bool is_transformer(const models::ArchitectureOptions& arch) {
  return std::holds_alternative<models::TransformerEncoderOptions>(arch.encoder.type) &&
         std::holds_alternative<models::TransformerDecoderOptions>(arch.decoder.type);
}

/// Muon's learning rate was measured for Transformers that are trained from the beginning.
bool uses_muon(const RunOptions& chosen) {
  return std::holds_alternative<training::MuonOptions>(chosen.train.optimizer) && is_transformer(chosen.arch) &&
         !chosen.base.gives_weights();
}

/// Adam with its learning rate, a third of Muon's (recipes/multi30k).
void use_adam(RunOptions& preset, const RunOptions&) {
  if (!std::holds_alternative<training::MuonOptions>(preset.train.optimizer)) return;
  preset.train.optimizer = training::AdamOptions{};
  if (auto* cosine = std::get_if<training::CosineSchedule>(&preset.train.schedule)) cosine->learning_rate /= 3;
}

/// Whether R-Drop can be used, and is wanted.
bool uses_r_drop(const RunOptions& chosen) {
  return chosen.train.r_drop > 0 && writes_text(chosen.task) && !chosen.base.gives_weights() &&
         models::draws_at_random(chosen.arch) && !models::has_hard_attention(chosen.arch) &&
         !chosen.train.sampling.samples() && !chosen.train.minimum_risk.is_on();
}

/// A default that follows from another option: if `follows` is true for all that was chosen, `adjust` changes the
/// preset. Every option that the user gives still overwrites the preset.
struct FollowingDefault {
  bool (*follows)(const RunOptions& chosen);
  void (*adjust)(RunOptions& preset, const RunOptions& chosen);
};

constexpr auto kFollowingDefaults = std::to_array<FollowingDefault>({
    {[](const RunOptions& chosen) { return !chosen.has_validation_text(); },
     [](RunOptions& preset, const RunOptions&) {
       preset.valid.patience = 0;
       if (const auto* best = std::get_if<training::AverageOfBest>(&preset.train.average)) {
         preset.train.average = training::AverageOfLast{.count = best->count};
       }
     }},
    {[](const RunOptions& chosen) { return chosen.train.max_tokens || chosen.train.max_epochs; },
     [](RunOptions& preset, const RunOptions&) { preset.train.max_steps.reset(); }},
    {[](const RunOptions& chosen) { return !chosen.valid.translates(); },
     [](RunOptions& preset, const RunOptions&) {
       if (training::is_of_translations(preset.valid.metric)) preset.valid.metric = training::ValidationMetric::Loss;
     }},
    {[](const RunOptions& chosen) { return chosen.corpus.has_vectors() && !chosen.arch.vectors.any(); },
     [](RunOptions& preset, const RunOptions&) { preset.arch.vectors.type = models::ProjectedVectors{}; }},
    {[](const RunOptions& chosen) {
       return chosen.arch.has_encoder() && !std::holds_alternative<models::RnnEncoderOptions>(chosen.arch.encoder.type);
     },
     [](RunOptions& preset, const RunOptions&) {  // the encoder has no last states to start from
       auto* decoder = std::get_if<models::RnnDecoderOptions>(&preset.arch.decoder.type);
       if (decoder && !std::holds_alternative<models::ZeroState>(decoder->initial_state)) {
         decoder->initial_state = models::MeanState{};
       }
     }},
    {[](const RunOptions& chosen) { return has_two_vocabularies(chosen) || has_vectors_alone(chosen); },
     [](RunOptions& preset, const RunOptions&) {
       if (preset.arch.tied_embeddings == models::TiedEmbeddings::All)
         preset.arch.tied_embeddings = models::TiedEmbeddings::Decoder;
     }},
    {[](const RunOptions& chosen) { return !chosen.corpus.alignments.empty(); }, set_guided_head},
    {[](const RunOptions& chosen) { return !uses_muon(chosen); }, use_adam},
    {[](const RunOptions& chosen) { return !uses_r_drop(chosen); },
     [](RunOptions& preset, const RunOptions&) {
       preset.train.r_drop = 0;
       preset.train.r_drop_start = {};
     }},
});

/// Changes values of the preset that do not fit `chosen`, the preset with all settings applied. These settings still
/// overwrite what is changed here.
void follow_choices(RunOptions& preset, const RunOptions& chosen) {
  for (const FollowingDefault& rule : kFollowingDefaults) {
    if (rule.follows(chosen)) rule.adjust(preset, chosen);
  }
}

/// The last value of an option with named values. A name that does not exist is refused when the layers are applied.
template <class Enum>
std::optional<Enum> named_value(const std::vector<Layer>& layers, std::string_view option) {
  return enum_value<Enum>(last_value(layers, option));
}

/// The last preset that is named. Without one it depends on the task and the source.
Preset named_preset(const std::vector<Layer>& layers) {
  if (const auto named = named_value<Preset>(layers, "preset")) return *named;
  const Task task = named_value<Task>(layers, "task").value_or(Task::Translation);
  if (task == Task::LanguageModel) return Preset::LmTransformer;
  const bool of_text = last_value(layers, "source-vectors").empty() && last_value(layers, "source-images").empty() &&
                       last_value(layers, "source-audio").empty();
  return task == Task::Translation && of_text ? RunOptions{}.preset : Preset::TransformerTiny;
}

RunOptions applied(RunOptions preset, const std::vector<Layer>& layers) {
  apply_layers(visit_options(preset), layers);
  return preset;
}

bool needs_validation(std::string_view option) {
  return option == "train.keep-best" || (option.starts_with("valid.") && option != "valid.every");
}

/// Refuses values that have an effect only with validation text.
void validate_without_validation_text(const RunOptions& preset, const RunOptions& options) {
  RunOptions before = preset;
  RunOptions now = options;
  for (const Difference& difference : differences(visit_options(before), visit_options(now))) {
    const bool given = !difference.after.empty();  // otherwise it went with another alternative
    if (given && needs_validation(difference.name)) {
      throw ConfigError(difference.name, "has no effect without validation text: give it, or leave this option out");
    }
  }
}

/// The first versions of heed used the name that subword-nmt's BPE has now for SentencePiece's BPE.
void rename_old_bpe(Layer& saved) {
  const auto named = [&](std::string_view name) { return std::ranges::find(saved, name, &Setting::name); };
  const auto type = named("text.type");
  if (type == saved.end() || type->values != std::vector<std::string>{"bpe"} || named("text.coverage") == saved.end())
    return;
  type->values = {"sentencepiece-bpe"};
}

/// Whether a layer has the option, with any number of values.
bool is_named(const std::vector<Layer>& layers, std::string_view option) {
  return std::ranges::any_of(layers, [&](const Layer& layer) {
    return std::ranges::any_of(layer, [&](const Setting& setting) { return setting.name == option; });
  });
}

/// Replaces patterns and lists by their files. given: what this start names. Saved names are those of files.
void name_files(data::CorpusFiles& files, const std::string& prefix, const std::vector<Layer>& given) {
  const auto expand = [&](std::vector<std::string>& paths, const char* side) {
    const std::string option = prefix + side;
    if (is_named(given, option)) paths = expand_paths(paths, option);
  };
  expand(files.source, "source");
  expand(files.target, "target");
  expand(files.pairs, "pairs");
  expand(files.weights, "weights");
  expand(files.alignments, "alignments");
}

/// Converts the settings of an older config.toml to this version.
Layer in_present_meaning(Layer saved) {
  rename_old_bpe(saved);
  return saved;
}

RunOptions saved_options(Layer saved, const std::function<bool(std::string_view name)>& wanted) {
  RunOptions options;
  std::erase_if(saved, [&](const Setting& setting) { return !wanted(setting.name); });
  apply_layers(visit_options(options), {saved});
  return options;
}

}  // namespace

RunOptions read_run_options(const std::vector<std::string>& files, const std::vector<Setting>& command_line) {
  std::vector<Layer> layers;
  for (const std::string& file : files) layers.push_back(read_settings(file));
  layers.push_back(command_line);
  const std::vector<Layer> given = layers;
  Layer lowest = resumed_settings(layers);
  if (lowest.empty()) lowest = base_settings(layers);
  if (!lowest.empty()) layers.insert(layers.begin(), std::move(lowest));
  // Applied first: if the user chooses another alternative than the preset's, it has that alternative's defaults.
  RunOptions preset = preset_options(named_preset(layers));
  if (const auto task = named_value<Task>(layers, "task")) adjust_to_task(preset, *task);
  follow_choices(preset, applied(preset, layers));
  RunOptions options = applied(preset, layers);
  name_files(options.corpus, "", given);
  name_files(options.valid_corpus, "valid-", given);
  if (!options.has_validation_text()) validate_without_validation_text(preset, options);
  refuse_options_of_other_task(preset, options);
  return options;
}

Layer read_saved_settings(const std::string& path) { return in_present_meaning(read_model_settings(path)); }

RunOptions read_saved_options(const std::string& path) {
  return read_saved_options(path, [](std::string_view) { return true; });
}

RunOptions read_saved_options(const std::string& path, const std::function<bool(std::string_view name)>& wanted) {
  return saved_options(read_saved_settings(path), wanted);
}

RunOptions parse_saved_options(std::string_view toml, const std::string& path) {
  return saved_options(in_present_meaning(parse_settings(toml, path)), [](std::string_view) { return true; });
}

std::string format_options(const RunOptions& options) {
  RunOptions walked = options;
  return format_settings(visit_options(walked));
}

}  // namespace heed::config
