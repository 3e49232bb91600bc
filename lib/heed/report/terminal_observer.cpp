#include "heed/report/terminal_observer.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <string_view>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/printable.h"
#include "heed/core/text/unicode.h"

namespace heed::report {

using training::Candidate;
using training::FinalReport;
using training::OptionChange;
using training::StartReport;
using training::TimeSplit;
using training::TrainingReport;
using training::ValidatingReport;
using training::ValidationReport;

namespace {

constexpr size_t kLongestSample = 2000;  // bytes

std::string format_parameters(int64_t count) {
  if (count >= 1'000'000) return fmt::format("{:.1f} million", static_cast<double>(count) / 1e6);
  return format_count(count);
}

/// LoRA's parameters are not counted as the model's.
std::string describe_parameters(const StartReport& report) {
  if (report.frozen_parameters == 0) return format_parameters(report.parameters) + " parameters";
  const int64_t all = report.frozen_parameters + report.parameters - report.lora_parameters;
  return fmt::format(
      "{} parameters; {} are trained{}", format_parameters(all), format_count(report.parameters),
      report.lora_parameters == 0 ? "" : fmt::format(", {} of them LoRA's", format_count(report.lora_parameters)));
}

std::string format_steps(const Progress& progress) { return format_count(std::llround(progress.steps)); }

/// The unit of the loss and of the speed.
struct UnitName {
  std::string_view operator()(const text::Ids&) const { return "target tokens"; }
  std::string_view operator()(const text::ClassLabel&) const { return "labels"; }
  std::string_view operator()(const text::WordLabels&) const { return "labels"; }
  std::string_view operator()(const text::Numbers&) const { return "numbers"; }
};

/// The loss of numbers is an error, so they have no perplexity.
std::string perplexity_text(const text::Target& target, double loss) {
  if (std::holds_alternative<text::Numbers>(target)) return {};
  return ", perplexity " + format_perplexity(std::exp(loss));
}

/// "data 1%, forward 35%, backward 55%, optimizer 9%"; with several ranks also "exchange 4%", before the optimizer.
std::string format_split(const TimeSplit& time) {
  const double whole = time.whole();
  const auto share = [whole](double seconds) { return whole > 0 ? 100 * seconds / whole : 0; };
  const std::string exchange = time.exchange > 0 ? fmt::format(", exchange {:.0f}%", share(time.exchange)) : "";
  return fmt::format("data {:.0f}%, forward {:.0f}%, backward {:.0f}%{}, optimizer {:.0f}%", share(time.data),
                     share(time.forward), share(time.backward), exchange, share(time.optimizer));
}

std::string format_name(const std::string& score) {
  if (score == "bleu") return "BLEU";
  return score == "chrf" ? "chrF" : score;
}

std::string format_scores(const std::map<std::string, double>& scores) {
  std::string text;
  for (const auto& [name, score] : scores) {
    if (!text.empty()) text += ", ";
    if (name == "perplexity") {
      text += fmt::format("{} {}", name, format_perplexity(score));
    } else if (name == "mse" || name == "mae") {  // their unit may have any size
      text += fmt::format("{} {:.4g}", name, score);
    } else {
      text += fmt::format("{} {:.{}f}", format_name(name), score, name == "loss" ? 4 : 2);
    }
  }
  return text;
}

/// A note if validation searches with other options than translation.
std::string note_of_search(const StartReport& report) {
  const bool same = report.translation_search == fmt::format("search.beam {}", report.valid_beam);
  if (report.valid_beam == 0 || same) return {};
  return fmt::format("translated with valid.beam {}{}; `heed translate` has {}", report.valid_beam,
                     report.valid_beam == 1 ? " (greedy)" : "", report.translation_search);
}

std::string format_steps(const Candidate& candidate) {
  return fmt::format("step{} {}", candidate.steps.size() == 1 ? "" : "s", fmt::join(candidate.steps, ", "));
}

/// Which candidate became the model, and why.
std::string format_choice(const FinalReport& report) {
  const Candidate& chosen = *std::ranges::find(report.candidates, report.chosen, &Candidate::name);
  const bool compared = report.candidates.size() > 1 && !chosen.scores.empty();
  const std::string why = compared ? fmt::format(", because its {} is the best", format_name(report.metric)) : "";
  return fmt::format("\"{}\" ({}){}", report.chosen, format_steps(chosen), why);
}

std::string format_standing(const ValidationReport& report) {
  if (report.best_by_loss) {
    return fmt::format("best so far: {} is the same to a tenth, loss is lower", report.stopping_metric);
  }
  if (report.best) return fmt::format("best {} so far", report.stopping_metric);
  const std::string since =
      fmt::format("best {} was {} ago", report.stopping_metric, counted(report.since_best, "validation"));
  return report.patience > 0 ? fmt::format("{}, stops at {}", since, report.patience) : since;
}

}  // namespace

std::string format_perplexity(double perplexity) {
  return perplexity < 1e6 ? fmt::format("{:.2f}", perplexity) : fmt::format("{:.4g}", perplexity);
}

/// "2026-03-04 05:06:07 " or "05:06:07 "
std::string TerminalObserver::now() {
  if (!clock_) return {};
  const std::time_t time = clock_();
  const bool other_day = local_date(time) != std::exchange(date_, local_date(time));
  return (other_day ? date_ + " " : "") + local_time(time) + " ";
}

void TerminalObserver::write(const std::string& text) {
  out_.clear();
  errno = 0;
  if (out_ << text << std::endl) {
    failing_ = false;
  } else if (!std::exchange(failing_, true)) {
    throw FileError("the log", "write", errno);
  }
}

void TerminalObserver::line(const std::string& text) { write(now() + printable_message(text)); }

void TerminalObserver::more(const std::string& text) { write("  " + shortened(printable(text), kLongestSample)); }

void TerminalObserver::on_start(const StartReport& report) {
  search_note_ = note_of_search(report);
  target_ = report.target;
  line(fmt::format("model: {}", describe_parameters(report)));
  const bool all = report.valid_translated == 0 || report.valid_translated == report.valid_pairs;
  const std::string unit = report.language_model ? "lines" : "pairs";
  line(fmt::format("text: {} for training, {} for validation{}",
                   report.pairs ? fmt::format("{} {}", format_count(*report.pairs), unit) : unit + " as they come",
                   format_count(report.valid_pairs),
                   all ? "" : fmt::format("'s loss, {} for its translations", format_count(report.valid_translated))));
  const std::string ranks = report.ranks == 1 ? "" : counted(report.ranks, "rank") + ", each with ";
  line(fmt::format("device: {}, {}{}, {}, {}", report.device, ranks, counted(report.threads, "thread"),
                   counted(report.replicas, "replica"), report.products));
  if (report.resumed) {
    line(fmt::format("resuming after step {} (epoch {:.2f})", format_steps(report.progress), report.progress.epochs));
  }
}

void TerminalObserver::on_change(const OptionChange& change, const Progress& progress) {
  line(fmt::format("from step {} on: {} {}{}{}", format_steps(progress), change.option, change.now,
                   change.before.empty() ? "" : fmt::format(" (was {})", change.before),
                   change.effect.empty() ? "" : "; " + change.effect));
}

void TerminalObserver::on_training(const TrainingReport& report) {
  const bool same = report.objective == report.loss;
  std::string text = fmt::format(
      "epoch {}, step {}: {}loss {:.4f}{}, learning rate {:.3g}, gradient norm {:.2f}, {} {}/s ({})", report.epoch,
      format_steps(report.progress), same ? "" : fmt::format("objective {:.4f}, ", report.objective), report.loss,
      perplexity_text(target_, report.loss), report.learning_rate, report.gradient_norm,
      format_count(std::llround(report.target_tokens_per_second)), std::visit(UnitName{}, target_),
      format_split(report.time));
  if (report.skipped_steps > 0) text += fmt::format(", {} skipped", report.skipped_steps);
  if (report.remaining_seconds >= 0) text += fmt::format(", {} to go", format_duration(report.remaining_seconds));
  line(text);
}

void TerminalObserver::on_progress(const TrainingReport& report) { on_training(report); }

void TerminalObserver::on_forecast(const std::string& forecast) { line("at this speed " + forecast); }

void TerminalObserver::on_validating(const ValidatingReport& report) {
  line(fmt::format("validating after step {}: {} of {} {}", format_steps(report.progress), format_count(report.done),
                   format_count(report.all), report.things));
}

void TerminalObserver::on_validation(const ValidationReport& report) {
  line(fmt::format("validation after step {}: {} ({}; {})", format_steps(report.progress), format_scores(report.scores),
                   format_standing(report), format_duration(report.seconds)));
  if (!search_note_.empty()) more(std::exchange(search_note_, {}));
  for (const training::SampleTranslation& sample : report.samples) {
    more(fmt::format("source:     {}", strip(sample.source)));
    more(fmt::format("reference:  {}", strip(sample.reference)));
    more(fmt::format("hypothesis: {}", strip(sample.hypothesis)));
  }
}

void TerminalObserver::on_finish(const FinalReport& report) {
  for (const Candidate& candidate : report.candidates) {
    const std::string made = fmt::format("{} ({})", candidate.name, format_steps(candidate));
    line(candidate.scores.empty() ? made : made + ": " + format_scores(candidate.scores));
  }
  line(fmt::format("the model is {}, after {} of training", format_choice(report),
                   format_duration(report.spent.elapsed_seconds)));
  if (!report.learned_little) return;
  on_warning(fmt::format(
      "the model has learned little{}: its validation loss is {:.4f}; knowing only how frequent each "
      "token is gives {:.4f}{}",
      report.still_improving ? " so far" : "", report.learned_little->loss, report.learned_little->frequency_loss,
      report.still_improving ? "; the loss still falls, so a longer training helps" : ""));
}

void TerminalObserver::on_warning(const std::string& message) { line("warning: " + message); }

void TerminalObserver::on_stop(const std::string& reason, const Progress& progress) {
  line(fmt::format("training stops after step {}: {}", format_steps(progress), reason));
}

}  // namespace heed::report
