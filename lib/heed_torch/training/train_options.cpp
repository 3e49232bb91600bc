#include "heed_torch/training/train_options.h"

#include "heed/architecture/architecture.h"
#include "heed/architecture/stochastic_parts.h"
#include "heed/core/error.h"

namespace heed::training {

namespace {

/// Constructs BLEU's tokenizer only to find errors in its options.
void validate_bleu(const ValidationOptions& valid) {
  const auto* translate = std::get_if<TranslateValidText>(&valid.translate);
  if (!translate) return;
  try {
    metrics::Bleu{translate->bleu};
  } catch (const ConfigError& error) {
    throw ConfigError(std::string("[valid] ") + error.what());
  }
}

void validate_dev(const TrainOptions& train, const ValidationOptions& valid) {
  if (valid.patience > 0) {
    throw ConfigError("valid.patience", "needs validation text; give it, or set valid.patience to 0");
  }
  if (std::holds_alternative<PlateauSchedule>(train.schedule)) {
    throw ConfigError("train.schedule.type", "must be another than plateau without validation text");
  }
  if (std::holds_alternative<AverageOfBest>(train.average)) {
    throw ConfigError("train.average", "must be last or none without validation text, which decides what is best");
  }
}

void validate_r_drop(const TrainOptions& train, const models::ArchitectureOptions& architecture, bool continuous) {
  const auto refuse = [](const char* why) { throw ConfigError("train.r-drop", why); };
  if (train.r_drop == 0) {
    if (train.r_drop_start.value > 0) throw ConfigError("train.r-drop-start", "has no effect without `train.r-drop`");
    if (!train.r_drop_cutoff.cuts()) return;
    throw ConfigError("train.r-drop-cutoff.type", "must be none without `train.r-drop`");
  }
  if (continuous) refuse("must be 0 with data.context text: a continuous text is read once");
  if (!models::draws_at_random(architecture) && !train.r_drop_cutoff.cuts()) {
    refuse("must be 0 without dropout (arch.dropout): two readings of a sentence are equal");
  }
  if (models::has_hard_attention(architecture)) {
    refuse(
        "must be 0 with arch.decoder.attention-function hard: the choices of a reading learn only from its own loss");
  }
}

void validate_sampling(const TrainOptions& train, const models::ArchitectureOptions& architecture, bool continuous) {
  const auto refuse = [](const char* why) { throw ConfigError("train.scheduled-sampling.type", why); };
  if (!train.sampling.samples()) return;
  if (!std::holds_alternative<models::RnnDecoderOptions>(architecture.decoder.type)) {
    refuse("must be none but with `arch.decoder.type` = rnn, which reads one word after the other");
  }
  if (continuous) refuse("must be none with data.context text: a continuous text is read as it stands");
  if (train.r_drop > 0) refuse("must be none with train.r-drop, whose two readings are of the same words");
}

void validate_teachers(const TrainOptions& train, bool continuous) {
  const auto refuse = [](const char* why) { throw ConfigError("train.teacher", why); };
  const TrainOptions usual;
  if (train.teacher.empty()) {
    const auto require_usual = [](const char* option, double value, double expected) {
      if (value != expected) throw ConfigError(option, "has no effect without `train.teacher`");
    };
    require_usual("train.teacher-weight", train.teacher_weight, usual.teacher_weight);
    require_usual("train.teacher-temperature", train.teacher_temperature, usual.teacher_temperature);
    return;
  }
  if (continuous) refuse("must be empty with data.context text: teachers read sentence by sentence");
  if (train.sampling.samples()) {
    refuse("must be empty with train.scheduled-sampling: teachers read the words of the target");
  }
}

void validate_risk(const TrainOptions& train, const models::ArchitectureOptions& architecture, bool continuous) {
  const auto refuse = [](const char* why) { throw ConfigError("train.minimum-risk.type", why); };
  if (!train.minimum_risk.is_on()) return;
  if (continuous || !architecture.has_encoder()) refuse("must be none for a language model, which translates nothing");
  if (models::has_hard_attention(architecture)) refuse("must be none with arch.decoder.attention-function hard");
  if (train.r_drop > 0) refuse("must be none with train.r-drop");
  if (train.sampling.samples()) refuse("must be none with train.scheduled-sampling");
  if (!train.teacher.empty()) refuse("must be none with train.teacher");
  if (!std::holds_alternative<NoAdapter>(train.adapter)) refuse("must be none with train.adapter");
}

}  // namespace

void validate(const TrainOptions& train, const ValidationOptions& valid, const LogOptions& log, bool has_validation) {
  if (has_validation)
    validate_bleu(valid);
  else
    validate_dev(train, valid);
  if (is_of_translations(valid.metric) && !valid.translates()) {
    throw ConfigError("valid.metric", "must be loss or perplexity when valid.translate is none");
  }
  if (valid.translates() && (is_of_labels(valid.metric) || is_of_numbers(valid.metric))) {
    throw ConfigError("valid.metric", "must be bleu, chrf, wer, cer, loss or perplexity where text is written");
  }
  if (const auto* lora = std::get_if<nn::LoraOptions>(&train.adapter)) nn::validate(*lora);
  validate(train.optimizer);
  if (train.ema_decay > 0 && averages(train.optimizer)) {
    throw ConfigError("train.ema-decay",
                      "must be 0 with train.optimizer.type schedule-free, which has its own average");
  }
  resolved(train.schedule, training_limit(train), train.max_minutes);  // only for its errors
  if (valid.every.value <= 0) throw ConfigError("valid.every", "must be above 0");
  if (log.every.value <= 0) throw ConfigError("log.every", "must be above 0");
  if (train.save_every && train.save_every->value <= 0) {
    throw ConfigError("train.save-every", "must be above 0, or none");
  }
}

void validate_readings(const TrainOptions& train, const models::ArchitectureOptions& architecture, bool continuous) {
  validate_r_drop(train, architecture, continuous);
  validate_sampling(train, architecture, continuous);
  validate_teachers(train, continuous);
  validate_risk(train, architecture, continuous);
}

std::optional<Amount> training_limit(const TrainOptions& options) {
  if (options.max_steps) return Amount{static_cast<double>(*options.max_steps), AmountUnit::Steps};
  if (options.max_tokens) return Amount{*options.max_tokens, AmountUnit::Tokens};
  if (options.max_epochs) return Amount{*options.max_epochs, AmountUnit::Epochs};
  return std::nullopt;
}

}  // namespace heed::training
