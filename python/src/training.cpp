#include <exception>
#include <mutex>
#include <string>

#include <nanobind/stl/string.h>

#include "arguments.h"
#include "bindings.h"
#include "gil.h"
#include "heed/report/json_observer.h"
#include "heed_torch/config/device.h"
#include "heed_torch/config/setup/training_run.h"
#include "interruptible.h"
#include "training_options.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace heed::python {
namespace {

/// Tells Python of a training's events. What that raises stops the training, which saves first.
class CallbackObserver : public report::JsonObserver {
 public:
  CallbackObserver(nb::object callback, training::StopRequest& stop) : callback_(std::move(callback)), stop_(stop) {}
  /// Throws what the callback raised.
  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  void take(const std::string& line) override {
    if (callback_.is_none() || raised_) return;
    const Gil gil;
    try {
      callback_(nb::module_::import_("json").attr("loads")(nb::str(line.data(), line.size())));
    } catch (const std::exception&) {
      raised_ = std::current_exception();
      stop_.request();
    }
  }

  nb::object callback_;
  training::StopRequest& stop_;
  std::exception_ptr raised_;
};

/// The model directory.
std::string train(const nb::dict& options, const nb::object& progress) {
  const config::Layer settings = settings_of(options);
  training::StopRequest stop;
  CallbackObserver observer(progress, stop);
  std::string model;
  run_interruptibly(
      [&](const Interrupt&) {
        config::RunOptions run = apps::training_options(settings);
        apps::settle_training_options(run, settings, *distributed::one_rank());
        const config::ScopedThreads threads(run.threads);
        config::PreparedRun prepared = config::prepare_run(run);
        config::run_training(prepared, run, {&observer}, stop);
        model = run.model;
      },
      [&] { stop.request(); });
  observer.rethrow();
  return model;
}

}  // namespace

void add_training(nb::module_& module) { module.def("train", train, "options"_a, "progress"_a.none()); }

}  // namespace heed::python
