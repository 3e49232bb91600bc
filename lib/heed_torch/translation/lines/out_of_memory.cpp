#include "heed_torch/translation/lines/out_of_memory.h"

#include <new>
#include <string_view>

#include <c10/util/Exception.h>

namespace heed::translation {

bool ran_out_of_memory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) || dynamic_cast<const c10::OutOfMemoryError*>(&error)) return true;
  constexpr std::string_view kAllocator = "DefaultCPUAllocator: ";
  const auto* torchs = dynamic_cast<const c10::Error*>(&error);
  // what() would format a stack trace, for which there may be no memory.
  return torchs && std::string_view(torchs->what_without_backtrace()).find(kAllocator) != std::string_view::npos;
}

}  // namespace heed::translation
