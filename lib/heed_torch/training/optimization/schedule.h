// Learning rate schedules. Every schedule except plateau depends only on the progress and on the seconds that training
// has taken, so resuming needs no other state.
//
// Below, s is the progress at the end of the step that uses the rate: the first step has s = 1 step. Its unit is
// that of the amount it is compared with. w is the warm-up: while s < w, every schedule's rate is multiplied by s / w.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "heed/core/amount.h"
#include "heed/core/options.h"

namespace heed::training {

/// rate
struct ConstantSchedule {
  static constexpr std::string_view kName = "constant";
  double learning_rate = 5e-4;  ///< rate
  Amount warmup{0};             ///< w; 0: none
  bool operator==(const ConstantSchedule&) const = default;
};
void describe(ConstantSchedule& options, OptionVisitor& visit);

/// rate * sqrt(w / s) from s = w on; needs a warm-up (fairseq's inverse_sqrt; Vaswani et al. 2017 with the peak named).
struct InverseSqrtSchedule {
  static constexpr std::string_view kName = "inverse-sqrt";
  double learning_rate = 1e-3;  ///< rate, the peak
  Amount warmup{1000};          ///< w, above 0
  bool operator==(const InverseSqrtSchedule&) const = default;
};
void describe(InverseSqrtSchedule& options, OptionVisitor& visit);

/// factor * d_model^-1/2 * min(s^-1/2, s * w^-3/2), in steps (Vaswani et al. 2017, https://arxiv.org/abs/1706.03762,
/// equation 3).
struct NoamSchedule {
  static constexpr std::string_view kName = "noam";
  double factor = 1;
  Amount warmup{4000};  ///< w, above 0, in steps
  bool operator==(const NoamSchedule&) const = default;
};
void describe(NoamSchedule& options, OptionVisitor& visit);

/// Falls linearly from the peak at s = w to final_ratio * rate at s = length, then stays constant. If w and length have
/// different units, the decay begins at s = 0, during the warm-up. CosineSchedule does the same.
///
/// A schedule of either kind may have no length of its own while training has a limit of minutes. The decay is then at
/// least as far as the share of the minutes that is over. So it ends with training, whichever limit ends it. Rates then
/// depend on the clock.
struct LinearSchedule {
  static constexpr std::string_view kName = "linear";
  double learning_rate = 1e-3;                  ///< rate, the peak
  Amount warmup{1000};                          ///< w; 0: none
  std::optional<Amount> length = std::nullopt;  ///< absent: train.max-steps, else max-tokens, else max-epochs
  double final_ratio = 0;                       ///< of the peak, in [0, 1]
  bool operator==(const LinearSchedule&) const = default;
};
void describe(LinearSchedule& options, OptionVisitor& visit);

/// Falls along half a cosine from the peak at s = w to final_ratio * rate at s = length, then stays constant
/// (Loshchilov and Hutter 2017, https://arxiv.org/abs/1608.03983, equation 5, without restarts).
struct CosineSchedule {
  static constexpr std::string_view kName = "cosine";
  double learning_rate = 1e-3;                  ///< rate, the peak
  Amount warmup{1000};                          ///< w; 0: none
  std::optional<Amount> length = std::nullopt;  ///< absent: train.max-steps, else max-tokens, else max-epochs
  double final_ratio = 0;                       ///< of the peak, in [0, 1]
  bool operator==(const CosineSchedule&) const = default;
};
void describe(CosineSchedule& options, OptionVisitor& visit);

/// Warm-up, stable, decay (Hu et al. 2024, https://arxiv.org/abs/2404.06395, section 4): constant until
/// (1 - decay_share) * length, then down to final_ratio * rate at s = length along a square root (Haegele et al. 2024,
/// https://arxiv.org/abs/2405.18392, section 3):
///   rate * (final_ratio + (1 - final_ratio) * (1 - sqrt(share of the decay that is done)))
/// A length that is absent and minutes: as in LinearSchedule. The rate of the stable phase does not depend on the
/// length: a training there can resume with another limit, and its decay is then the last part of the new length.
struct WsdSchedule {
  static constexpr std::string_view kName = "wsd";
  double learning_rate = 1e-3;                  ///< rate, of the stable phase
  Amount warmup{1000};                          ///< w; 0: none
  std::optional<Amount> length = std::nullopt;  ///< absent: train.max-steps, else max-tokens, else max-epochs
  double decay_share = 0.2;                     ///< of the length, in [0, 1]
  double final_ratio = 0;                       ///< of the rate, in [0, 1]
  bool operator==(const WsdSchedule&) const = default;
};
void describe(WsdSchedule& options, OptionVisitor& visit);

/// rate * factor^k, but never below `minimum`. k is the number of times that `patience` validations in a row brought no
/// better score of valid.metric.
struct PlateauSchedule {
  static constexpr std::string_view kName = "plateau";
  double learning_rate = 5e-4;  ///< initial rate
  Amount warmup{0};             ///< w; 0: none
  double factor = 0.5;          ///< in [0, 1]
  int64_t patience = 3;         ///< validations
  double minimum = 1e-7;        ///< the lowest rate
  bool operator==(const PlateauSchedule&) const = default;
};
void describe(PlateauSchedule& options, OptionVisitor& visit);

/// rate * factor^k, with k = 0 for s <= start, then k = ceil((s - start) / every). Luong et al. 2015
/// (https://arxiv.org/abs/1508.04025, section 4.1) halve the rate every epoch after 5 epochs: sgd, factor 0.5, start
/// 5e, every 1e.
struct StepSchedule {
  static constexpr std::string_view kName = "step";
  double learning_rate = 1e-3;          ///< initial rate
  Amount warmup{0};                     ///< w; 0: none
  double factor = 0.5;                  ///< in [0, 1]
  Amount start{5, AmountUnit::Epochs};  ///< after which the rate falls for the first time
  Amount every{1, AmountUnit::Epochs};  ///< from one fall to the next
  bool operator==(const StepSchedule&) const = default;
};
void describe(StepSchedule& options, OptionVisitor& visit);

using ScheduleOptions = std::variant<InverseSqrtSchedule, NoamSchedule, LinearSchedule, CosineSchedule, WsdSchedule,
                                     ConstantSchedule, PlateauSchedule, StepSchedule>;

/// The state of the plateau schedule; saved in a checkpoint.
struct PlateauState {
  int64_t reductions = 0;
  int64_t waiting = 0;  ///< validations since the last better one or the last reduction
  bool operator==(const PlateauState&) const = default;
};
void describe_members(PlateauState& state, auto& visit) {
  visit("reductions", state.reductions);
  visit("waiting", state.waiting);
}

/// Fills in the length of linear, cosine and wsd schedules: `limit` if they have none. max_minutes: the time limit.
/// Throws ConfigError if a warm-up or length is missing, or has a size or unit that the formula cannot use.
ScheduleOptions resolved(ScheduleOptions options, const std::optional<Amount>& limit,
                         const std::optional<double>& max_minutes = std::nullopt);
/// w; 0: none.
Amount warmup_of(const ScheduleOptions& options);
/// Whether a training of this length ends within the warm-up.
bool ends_within_warmup(const ScheduleOptions& options, const Amount& length);

class Schedule {
 public:
  /// `d_model` for noam; throws as resolved().
  Schedule(const ScheduleOptions& options, int64_t d_model, std::optional<Amount> limit,
           std::optional<double> max_minutes = std::nullopt);

  /// The rate of a step. progress: at the end of this step. seconds: how long training has taken before it.
  double learning_rate(const Progress& progress, double seconds = 0) const;
  /// Takes the result of a validation; only plateau uses it.
  void validated(bool better);

  const PlateauState& state() const { return state_; }
  void load(const PlateauState& state) { state_ = state; }

 private:
  ScheduleOptions options_;
  double d_model_;
  std::optional<double> minutes_;  // that the decay follows
  PlateauState state_;
};

}  // namespace heed::training
