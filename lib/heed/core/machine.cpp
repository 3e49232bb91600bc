#include "heed/core/machine.h"

#include <fstream>

#include <sys/utsname.h>
#include <unistd.h>

namespace heed {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");  // "model name : AMD EPYC 9R14"
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  utsname system{};
  return uname(&system) == 0 ? system.machine : "unknown";
}

int64_t machine_memory() { return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE); }

}  // namespace heed
