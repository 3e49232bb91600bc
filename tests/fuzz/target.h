// A fuzz target reads any bytes as one kind of input. It may throw heed::Error. Anything else is a mistake: another
// exception, a crash, a report of a sanitizer, a hang, and memory beyond kMemory.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace heed::fuzz {

struct Target {
  std::string_view name;  ///< also the folder of its seeds
  void (*read)(std::string_view input);
};

/// The targets of this program.
std::span<const Target> all_targets();
/// The target with this name. Ends the program with a message if there is none.
const Target& target_named(std::string_view name);

/// Bytes of memory that no input of kLongest bytes needs.
inline constexpr size_t kMemory = size_t{512} << 20;
/// Bytes of the longest input.
inline constexpr size_t kLongest = size_t{1} << 16;

/// Runs the target on the input. Prints what it throws beyond heed::Error, and aborts.
void run(const Target& target, std::string_view input);

/// Aborts unless the property holds.
void require(bool holds);
/// Calls `read`; ignores a heed::Error.
void attempt(const std::function<void()>& read);
/// Writes the input to a file of this name in a folder of this process, and returns its path.
std::string as_file(std::string_view input, const std::string& name);

}  // namespace heed::fuzz
