#include "heed/engine/forced_attention.h"

#include <utility>

#include "heed/engine/engine_run.h"
#include "heed/text/tokenizer.h"

namespace heed::engine {

AttentionRecord read_attention(const Engine& engine, std::span<const int32_t> source, std::span<const int32_t> target) {
  AttentionRecord record;
  Sources sources;
  sources.add(source);
  EngineRun run(engine);
  run.record_attention(record);
  run.start(sources, 1, engine.has_attention());
  text::AlignmentWeights of_search;
  int32_t token = text::kBos;
  for (size_t length = 0; length <= target.size(); ++length) {
    run.step({&token, 1});
    of_search.push_back(run.attention());
    if (length < target.size()) token = target[length];
  }
  if (record.cross.empty() && engine.has_attention()) record.cross.emplace_back().push_back(std::move(of_search));
  return record;
}

}  // namespace heed::engine
