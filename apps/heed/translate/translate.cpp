#include "translate/translate.h"

#include <memory>
#include <utility>

#include "heed/api/purpose.h"
#include "program.h"
#include "translate/translate_document.h"
#include "translate/translate_lines.h"

namespace heed::apps {
namespace {

api::OpenOptions open_options(const TranslateCommand& command) {
  return {.checkpoint = command.use.checkpoint,
          .device = command.use.device,
          .engine = {.precision = command.precision, .threads = command.use.threads, .short_list = command.short_list}};
}

int translate(TranslateCommand& command, const config::Arguments& given, const TranslateItems& items) {
  const config::VisitOptions options = config::visit_options(command);
  read_before_model(options, given);
  check_before_model(command, given);
  with_model(command, [&](api::TrainedModel& model) {
    const bool reads_items = model.options().arch.vectors.any() || command.items.any();
    if (reads_items && !items) throw api::NeedsTorch("sources that are vectors need LibTorch");
    const translation::Translator translator = make_translator(command, options, given, model);
    if (reads_items) {
      items(translator, command, given, model);
    } else if (command.document) {
      translate_document(translator, command);
    } else {
      translate_lines(translator, command, model.tokenizers());
    }
  });
  return 0;
}

}  // namespace

void with_model(const TranslateCommand& command, const std::function<void(api::TrainedModel& model)>& use) {
  const auto backend = api::registered_backend();
  const auto threads = backend ? backend->borrow_threads(command.use.threads) : nullptr;
  api::TrainedModel model(command.use.model, open_options(command));
  api::require_purpose(api::Purpose::Translation, command.use.model, model.options().arch);
  use(model);
}

translation::Translator make_translator(TranslateCommand& command, const config::VisitOptions& options,
                                        const config::Arguments& given, api::TrainedModel& model) {
  read_with_model(command, options, model.options().search, given);
  std::shared_ptr<const translation::AttentionReader> reader;  // null: show the attention that the search keeps
  if (command.chooses_attention()) {
    const translation::AttentionSelection& shown = command.alignment_options.aligner.shown;
    reader = model.torch("another attention than the search keeps").attention(shown, kAlignmentPrefix);
  }
  const auto searched = model.translation_model(command.further);  // first: it may read the description once more
  translation::Translator translator(searched, model.tokenizers(), command.search.search, command.search.translator,
                                     kept_for(command, model.options().arch));
  api::constrain(translator, command.constraints, command.search.search, model.tokenizers());
  api::set_splitting(translator, command.split, command.use.model);
  translator.protect(command.protected_rules, /*restores=*/!command.document);
  command.protected_rules = translator.protected_rules();
  translator.show(reader);
  return translator;
}

config::Command translate_command(TranslateItems items) {
  return with_options<TranslateCommand>(
      {.name = "translate",
       .help = kTranslateHelp,
       .needs = {{"language-model-weight", "language-model"}},
       .applies_settings = true},
      [items = std::move(items)](TranslateCommand& command, const config::Arguments& given) {
        return translate(command, given, items);
      });
}

}  // namespace heed::apps
