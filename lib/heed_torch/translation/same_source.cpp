#include "heed_torch/translation/same_source.h"

#include "heed/architecture/architecture.h"
#include "heed/core/error.h"
#include "heed/translation/same_vocabulary.h"

namespace heed::translation {

void require_same_source(const models::Model& model, const text::Tokenizers& tokenizers, const models::Model& other,
                         const text::Tokenizers& other_tokenizers, const std::string& option) {
  const auto* form = models::form_of(model.options().vectors);
  const auto* other_form = models::form_of(other.options().vectors);
  if ((tokenizers.source == nullptr) != (other_tokenizers.source == nullptr) ||
      (form == nullptr) != (other_form == nullptr) ||
      (form && (form->width != other_form->width || form->grid != other_form->grid))) {
    throw ConfigError(option, "reads another kind of source than the first model");
  }
  if (!tokenizers.source) return;
  require_same_vocabulary(*tokenizers.source, *other_tokenizers.source, option, "source");
}

}  // namespace heed::translation
