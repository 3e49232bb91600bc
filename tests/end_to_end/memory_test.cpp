// A program whose memory ends says so. The test's own operator new stands before the C++ library's.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "end_to_end/programs.h"
#include "program.h"

namespace {

thread_local bool no_memory = false;

}  // namespace

// Not inlined: GCC would see free() given what new gave.
[[gnu::noinline]] void* operator new(size_t size) {
  void* memory = no_memory ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace heed::end_to_end {
namespace {

/// What run_guarded() says, and its exit code, where memory ends and `body` then throws.
Result guarded(const std::function<void()>& body) {
  const Folder folder;
  const int kept = dup(STDERR_FILENO), file = open(folder.path("errors").c_str(), O_WRONLY | O_CREAT, 0600);
  dup2(file, STDERR_FILENO);
  Result result;
  result.code = apps::run_guarded([&]() -> int {
    no_memory = true;
    body();
    return 0;
  });
  no_memory = false;
  dup2(kept, STDERR_FILENO);
  close(kept);
  close(file);
  result.errors = folder.read("errors");
  return result;
}

TEST(Memory, ThatEndsIsOneLineAndStatusOne) {
  for (const auto& body : std::vector<std::function<void()>>{
           [] { std::string(1000, 'x'); },
           [] { throw std::bad_alloc(); },
           [] { throw std::length_error("vector::reserve"); },
           [] { throw std::filesystem::filesystem_error("", std::error_code()); },
       }) {
    const Result result = guarded(body);
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.errors, "heed: out of memory\n");
  }
}

}  // namespace
}  // namespace heed::end_to_end
