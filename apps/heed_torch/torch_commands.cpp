#include <utility>

#include "commands.h"
#include "heed_torch/api/use_torch.h"

namespace heed::apps {

std::vector<config::Command> torch_commands() {
  use_torch();
  config::Command serve = serve_command();
  serve.name = "serve";
  config::Command distill = distill_command();
  distill.name = "distill";
  config::Command watch = watch_command();
  watch.name = "watch";
  return {train_command(),   translate_command(),  std::move(serve),    std::move(watch),
          score_command(),   align_command(),      average_command(),   generate_command(),
          predict_command(), rerank_command(),     std::move(distill),  import_command(),
          export_command(),  completion_command(), man_pages_command(), torch_doctor_command()};
}

}  // namespace heed::apps
