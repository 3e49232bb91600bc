#include "heed/translation/lines/out_of_memory.h"

#include <new>
#include <string_view>

#include <c10/util/Exception.h>

namespace heed::translation {

bool ran_out_of_memory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) || dynamic_cast<const c10::OutOfMemoryError*>(&error)) return true;
  constexpr std::string_view kAllocator = "DefaultCPUAllocator: ";
  return dynamic_cast<const c10::Error*>(&error) &&
         std::string_view(error.what()).find(kAllocator) != std::string_view::npos;
}

}  // namespace heed::translation
