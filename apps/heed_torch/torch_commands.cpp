#include "commands.h"

namespace heed::apps {

std::vector<config::Command> torch_commands() {
  return {train_command(),   translate_command(), score_command(),      align_command(),
          average_command(), generate_command(),  predict_command(),    rerank_command(),
          import_command(),  export_command(),    completion_command(), man_pages_command()};
}

}  // namespace heed::apps
