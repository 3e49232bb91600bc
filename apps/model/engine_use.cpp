#include "model/engine_use.h"

#include "heed/core/error.h"

namespace heed::apps {

void require_trained_precision(engine::PrecisionChoice precision, const std::string& why) {
  if (precision == engine::PrecisionChoice::Float32 || precision == engine::PrecisionChoice::Auto) return;
  throw ConfigError("--precision", "other than fp32 " + why);
}

std::shared_ptr<const engine::Engine> engine_of(const UsedModel& model, engine::PrecisionChoice precision) {
  const config::OpenedModel& opened = model.opened;
  const auto refused = engine::Engine::refuses(opened.options.arch);
  if (model.device.is_cpu() && !refused) {
    return std::make_shared<const engine::Engine>(opened.options.arch, opened.model->sizes(), opened.parameters,
                                                  engine::precision_of(precision));
  }
  require_trained_precision(precision, refused ? "does not work with " + *refused : "works on a CPU only");
  return nullptr;
}

}  // namespace heed::apps
