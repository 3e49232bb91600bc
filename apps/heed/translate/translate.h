// `heed translate`, and what other commands that translate share with it.
#pragma once

#include <functional>

#include "heed/api/trained_model.h"
#include "heed/command_line/command.h"
#include "heed/translation/translator.h"
#include "translate/translate_options.h"

namespace heed::apps {

/// Translates sources with vectors, which needs LibTorch.
using TranslateItems = std::function<void(const translation::Translator& translator, const TranslateCommand& command,
                                          const config::Arguments& given, api::TrainedModel& model)>;
/// Opens the model of a command that translates, calls `use` and closes it. Throws what api::TrainedModel throws;
/// ConfigError for a model that does not translate.
void with_model(const TranslateCommand& command, const std::function<void(api::TrainedModel& model)>& use);
/// The translator of an open model. Reads the options of the search, whose defaults are the model's. options: see
/// read_with_model(). Throws ConfigError, InputError, FileError, CheckpointError; NeedsTorch.
translation::Translator make_translator(TranslateCommand& command, const config::VisitOptions& options,
                                        const config::Arguments& given, api::TrainedModel& model);

/// Without `items` the command throws api::NeedsTorch for such sources.
config::Command translate_command(TranslateItems items);

}  // namespace heed::apps
