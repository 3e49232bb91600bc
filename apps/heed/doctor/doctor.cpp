// `heed doctor`: what a bug report needs to know about this installation and machine, on one screen.
#include <sys/utsname.h>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands.h"
#include "doctor/report_line.h"
#include "heed/core/cpu_limit.h"
#include "heed/core/error.h"
#include "heed/core/machine.h"
#include "heed/core/parallel.h"
#include "heed/core/text/counted.h"
#include "heed/engine/common/matrix.h"
#include "heed/kernels/instructions.h"
#include "version.h"

namespace heed::apps {
namespace {

struct DoctorCommand {};
void describe(DoctorCommand&, OptionVisitor&) {}

const config::CommandHelp kDoctorHelp{
    .usage = "heed doctor",
    .summary =
        R"(Prints what you need to report a problem: versions, the processor and which of its instructions heed uses,
memory and disk, the speed of matrix multiplications in each precision, LibTorch, GPUs, and what is missing
for GPUs and for several ranks. It takes a few seconds and changes nothing. The only thing it prints about
you is the path of the current folder.)",
    .examples = "  heed doctor",
};

/// The value of NAME in /etc/os-release.
std::string system_name() {
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);) {
    constexpr std::string_view kName = "PRETTY_NAME=";
    if (!line.starts_with(kName)) continue;
    line.erase(0, kName.size());
    std::erase(line, '"');
    return line;
  }
  return "unknown system";
}

/// A number of kB in /proc/meminfo, as bytes; 0 if it is not there.
int64_t memory_fact(std::string_view name) {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    int64_t kilobytes = 0;
    if (word == name && file >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

std::string describe_cores() {
  const CpuLimit limit = cpu_limit();
  std::string text = counted(limit.cores, "core") + " (affinity mask)";
  text += limit.quota ? fmt::format(", CPU quota {:.4g} (cgroup)", *limit.quota) : ", no CPU quota";
  return text + ", so heed uses " + counted(limit.threads(), "thread");
}

/// Giga-operations per second (a multiplication and an addition count as two) of the inference engine's product of 64
/// rows with a 512 x 512 matrix, on one thread.
double engine_speed(engine::Precision precision) {
  constexpr int64_t kSize = 512, kRows = 64;
  std::vector<float> numbers(kSize * kSize);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i * 7919 % 1000) / 1000 - 0.5F;
  const engine::Matrix matrix({.numbers = numbers, .rows = kSize, .columns = kSize}, nullptr, precision);
  engine::Rows x, y;
  x.resize(kRows, kSize);
  y.resize(kRows, kSize);
  for (int64_t row = 0; row < kRows; ++row) std::copy_n(numbers.begin() + row, kSize, x.row(row));
  engine::Operand operand(precision);
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  int64_t products = 0;
  std::chrono::duration<double> spent{};
  for (; spent.count() < 0.15; ++products, spent = Clock::now() - begin) {
    operand.take(x);
    matrix.multiply(operand, y);
  }
  return 2e-9 * static_cast<double>(products * kRows * kSize * kSize) / spent.count();
}

std::string describe_engine() {
  return fmt::format("fp32 {:.0f}, bf16 {:.0f}, int8 {:.0f} giga-operations/s on one thread",
                     engine_speed(engine::Precision::Float32), engine_speed(engine::Precision::BFloat16),
                     engine_speed(engine::Precision::Int8));
}

int diagnose(const DoctorCommand&, const config::Arguments&) {
  utsname kernel{};
  uname(&kernel);
  std::error_code unknown;
  const std::filesystem::path folder = std::filesystem::current_path(unknown);
  const auto space = std::filesystem::space(folder, unknown);
  print(report_line("heed", fmt::format("{}, built by {}", kVersion, compiler_name())));
  print(report_line("system",
                    fmt::format("{}, {} {}, {}", system_name(), kernel.sysname, kernel.release, kernel.machine)));
  print(report_line("processor", processor_name()));
  print(report_line("instructions", kernels::vector_instructions()));
  print(report_line("cores", describe_cores()));
  print(
      report_line("memory", fmt::format("{:.1f} GB, {:.1f} GB available", 1e-9 * static_cast<double>(machine_memory()),
                                        1e-9 * static_cast<double>(memory_fact("MemAvailable:")))));
  if (!unknown) {
    print(report_line(
        "disk", fmt::format("{:.1f} GB free in {}", 1e-9 * static_cast<double>(space.available), folder.string())));
  }
  print(report_line("engine", describe_engine()));
  flush_output();
  try {
    run_with_torch("doctor", {});  // what needs LibTorch
  } catch (const Error& error) {
    print(report_line("LibTorch", error.what()));
  }
  return 0;
}

}  // namespace

config::Command doctor_command() {
  return with_options<DoctorCommand>({.name = "doctor", .help = kDoctorHelp}, diagnose);
}

}  // namespace heed::apps
