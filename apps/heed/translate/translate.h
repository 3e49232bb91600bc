// `heed translate`.
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
/// Without `items` the command throws api::NeedsTorch for such sources.
config::Command translate_command(TranslateItems items);

}  // namespace heed::apps
