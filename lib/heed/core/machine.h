// The machine that this process runs on, for reports. cpu_limit.h has the processors that the process may use.
#pragma once

#include <cstdint>
#include <string>

namespace heed {

/// The processor's name, as the system reports it: "AMD EPYC 9R14". The architecture ("aarch64") if it has none.
std::string processor_name();

/// Bytes of memory of the machine.
int64_t machine_memory();

}  // namespace heed
