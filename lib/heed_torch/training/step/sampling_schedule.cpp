#include "heed_torch/training/step/sampling_schedule.h"

#include <algorithm>
#include <cmath>

namespace heed::training {
namespace {

double share(const TeacherForcing&, const Progress&) { return 1; }
double share(const LinearSampling& o, const Progress& before) {
  return std::max(o.minimum, 1 - before.in(o.length.unit) / o.length.value);
}
double share(const ExponentialSampling& o, const Progress& before) { return std::pow(o.k, before.steps); }
double share(const InverseSigmoidSampling& o, const Progress& before) {
  return o.k / (o.k + std::exp(before.steps / o.k));
}

}  // namespace

OwnWord SamplingSchedule::word() const {
  return std::visit(
      [](const auto& held) {
        if constexpr (requires { held.word; }) return held.word;
        return OwnWord::Sampled;
      },
      type);
}

double teacher_forcing(const SamplingSchedule& schedule, const Progress& before) {
  return std::visit([&](const auto& held) { return share(held, before); }, schedule.type);
}

}  // namespace heed::training
