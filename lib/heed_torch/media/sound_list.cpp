#include <ATen/Parallel.h>

#include "heed/media/list_conversion.h"
#include "heed_torch/media/log_mel.h"
#include "heed_torch/media/sound_list.h"

namespace heed::media {
namespace {

/// Restores torch's number of threads. torch keeps it as a global state in addition to that of each thread.
class ThreadsKept {
 public:
  ThreadsKept() = default;
  ThreadsKept(const ThreadsKept&) = delete;
  ThreadsKept& operator=(const ThreadsKept&) = delete;
  ~ThreadsKept() { at::set_num_threads(before_); }

 private:
  int before_ = at::get_num_threads();
};

}  // namespace

void convert_sounds(const std::string& list, const std::string& vectors, const LogMelOptions& options,
                    int64_t threads) {
  const LogMel log_mel(options);
  const ThreadsKept kept;
  VectorWriter writer(vectors, options.mels, NumberType::F32);
  convert_list(list, "an audio file", threads, writer, [&](const std::string& path) {
    at::set_num_threads(1);  // for the threads of a transform; each thread of the list has its own setting
    std::vector<float> frames = log_mel(read_sound(path));
    const auto count = static_cast<int64_t>(frames.size()) / options.mels;
    return ListItem{.shape = {.rows = 1, .columns = count}, .values = std::move(frames), .bytes = {}};
  });
  writer.finish();
}

}  // namespace heed::media
