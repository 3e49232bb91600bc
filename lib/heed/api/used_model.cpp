#include "heed/api/used_model.h"

#include "heed/core/error.h"

namespace heed::api {

void require_trained_precision(engine::PrecisionChoice precision, const std::string& why) {
  if (precision == engine::PrecisionChoice::Float32 || precision == engine::PrecisionChoice::Auto) return;
  throw ConfigError("--precision", "other than fp32 " + why);
}

std::optional<std::string> no_engine(at::Device device, const models::ArchitectureOptions& arch) {
  if (!device.is_cpu()) return "works on a CPU only";
  if (const auto part = engine::Engine::refuses(arch)) return "does not work with " + *part;
  return std::nullopt;
}

void require_no_engine(const EngineUse& use, const std::string& why) {
  require_trained_precision(use.precision, why);
  if (use.short_list) throw ConfigError("--short-list", why);
}

std::shared_ptr<const engine::Engine> engine_of(const UsedModel& model, engine::PrecisionChoice precision) {
  config::OpenedModel opened = model.opened;
  if (const auto why = no_engine(model.device, opened.options.arch)) {
    require_trained_precision(precision, *why);
    return nullptr;
  }
  return config::read_parameters(opened, [&](const std::string& parameters) {
    return std::make_shared<const engine::Engine>(opened.options.arch, config::vocabulary_sizes(opened.tokenizers),
                                                  parameters, engine::precision_of(precision));
  });
}

}  // namespace heed::api
