#include "heed/core/log.h"

#include <string>

#include "bindings.h"

namespace nb = nanobind;

namespace heed::python {
namespace {

void to_logging(LogLevel level, std::string_view message) {
  const nb::gil_scoped_acquire gil;
  const nb::object logger = nb::module_::import_("logging").attr("getLogger")("heed");
  logger.attr(level == LogLevel::Warning ? "warning" : "info")("%s", nb::str(message.data(), message.size()));
}

}  // namespace

void add_log(nb::module_&) {
  set_log_sink(to_logging);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function([] { set_log_sink({}); }));
}

}  // namespace heed::python
