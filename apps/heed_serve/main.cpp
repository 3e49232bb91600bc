// heed-serve: `heed watch`, and `heed serve` for models that the inference engine runs. Users run `heed`, which runs
// this program.
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "heed/api/trained_model.h"

namespace heed::apps {
namespace {

int run(const std::vector<std::string>& words) {
  config::Command serve = serve_command();
  serve.name = "serve";
  serve.run = [words, here = std::move(serve.run)](const config::Arguments& given) -> int {
    try {
      return here(given);
    } catch (const api::NeedsTorch&) {
      run_with_torch("serve", std::span(words).subspan(1));
    }
  };
  config::Command watch = watch_command();
  watch.name = "watch";
  const std::vector<config::Command> commands{std::move(serve), std::move(watch)};
  return run_program({.name = "heed", .summary = {}, .closing = {}}, commands, words);
}

}  // namespace
}  // namespace heed::apps

int main(int count, char** arguments) {
  return heed::apps::run_guarded([&] { return heed::apps::run({arguments + 1, arguments + count}); });
}
