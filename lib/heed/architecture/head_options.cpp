#include "heed/architecture/head_options.h"

namespace heed::models {
namespace {

struct HeadWidth {
  const MemoryShape& memory;

  int64_t operator()(const NoHeadOptions&) const { return 0; }
  int64_t operator()(const LabelHeadOptions&) const { return memory.d_memory; }
  template <class Pooled>
  int64_t operator()(const Pooled& pooled) const {
    const bool takes_last = std::holds_alternative<LastPooling>(pooled.pooling) && !memory.last.empty();
    return takes_last ? memory.last.back() : memory.d_memory;
  }
};

}  // namespace

bool pools_by_attention(const HeadOptions& options) {
  return std::visit(
      [](const auto& head) {
        if constexpr (requires { head.pooling; }) return std::holds_alternative<AttentionPooling>(head.pooling);
        return false;
      },
      options.type);
}

int64_t head_width(const HeadOptions& options, const MemoryShape& memory) {
  return std::visit(HeadWidth{memory}, options.type);
}

}  // namespace heed::models
