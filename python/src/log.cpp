#include "heed/core/log.h"

#include "bindings.h"
#include "gil.h"
#include "heed/core/text/printable.h"

namespace nb = nanobind;

namespace heed::python {
namespace {

void to_logging(LogLevel level, std::string_view message) {
  const std::string text = printable_message(message);
  const Gil gil;
  const nb::object logger = nb::module_::import_("logging").attr("getLogger")("heed");
  logger.attr(level == LogLevel::Warning ? "warning" : "info")("%s", nb::str(text.data(), text.size()));
}

/// Messages are dropped, and no thread waits for the GIL any more.
void end_with_interpreter() {
  {
    const WithoutGil release;  // threads in the sink need it to leave
    set_log_sink({});
  }
  end_gil();
}

}  // namespace

void add_log(nb::module_&) {
  set_concurrent_log_sink(to_logging);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(end_with_interpreter));
}

}  // namespace heed::python
