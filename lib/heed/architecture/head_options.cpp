#include "heed/architecture/head_options.h"

#include "heed/architecture/parameter_list.h"

namespace heed::models {
namespace {

void list_pooling(const PoolingOptions& pooling, int64_t d_memory, const ParameterList& list) {
  const auto* attention = std::get_if<AttentionPooling>(&pooling);
  if (attention == nullptr) return;
  const int64_t hidden = attention->hidden.value_or(d_memory);
  list.linear("pooling.key", d_memory, hidden);
  list.tensor("pooling.vector", {1, hidden});
}

struct HeadLister {
  int64_t d_memory, outputs;
  const ParameterList& list;

  void operator()(const NoHeadOptions&) const {}
  void operator()(const ClassHeadOptions& o) const { list_pooling(o.pooling, d_memory, list); }
  void operator()(const LabelHeadOptions& o) const {
    if (!o.crf) return;
    list.tensor("crf.transitions", {outputs, outputs});
    for (const char* name : {"crf.begin", "crf.end"}) list.tensor(name, {outputs});
  }
  void operator()(const NumberHeadOptions& o) const {
    list_pooling(o.pooling, d_memory, list.module("pooled"));
    for (const char* name : {"mean", "deviation"}) list.tensor(name, {outputs});
  }
};

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

void list_parameters(const HeadOptions& options, const MemoryShape& memory, int64_t outputs,
                     const ParameterList& list) {
  std::visit(HeadLister{memory.d_memory, outputs, list}, options.type);
}

}  // namespace heed::models
