// `heed serve`: a web server that translates.
#include "heed/serve/server.h"

#include <csignal>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/error.h"
#include "heed/core/exception_text.h"
#include "heed/core/log.h"
#include "program.h"
#include "translate/model_use.h"

namespace heed::apps {
namespace {

struct ServeCommand {
  std::vector<std::string> models;
  serve::ServerOptions server;
  std::string device = "auto";
  int64_t threads = 0;
  engine::PrecisionChoice precision = engine::PrecisionChoice::Float32;
  bool short_list = false;
  int64_t stop_seconds = 30;
};
void describe(ServeCommand& o, OptionVisitor& visit) {
  visit(
      "model", o.models,
      "model directories or files of `heed pack`, each as DIR or PAIR=DIR, such as en-de=models/news; a model of several target languages has "
      "a pair and a tag for each: en-de:<2de>,en-fr:<2fr>=models/many. Without a pair the languages are those of the "
      "endings of the training files' names (train.en, train.de), else of the directory's name (models/en-de)");
  describe(o.server, visit);
  visit("stop-seconds", o.stop_seconds, "when the server is stopped, seconds for the requests that it has received",
        between(0, 86400));
  visit("device", o.device, "device to compute on: cpu, cuda, cuda:N, or auto for a GPU if there is one");
  visit("threads", o.threads, "CPU threads; 0: one for each core that the CPU quota allows", between(0, 1024));
  describe_precision(o.precision, visit);
  visit("shortlist", o.short_list,
        "choose the tokens of a translation among the likely translations of its source's tokens, which `heed "
        "shortlist` has learned: faster, and changes some translations");
}

const config::CommandHelp kServeHelp{
    .usage = "heed serve --model [PAIR=]DIR... [--host ADDRESS] [--port N] [options]",
    .summary =
        R"(Starts a web server that translates, with a page for browsers at / and LibreTranslate's API for programs.
The page also shows attention and the beam search. Clients of LibreTranslate work unchanged. The server
translates waiting requests together; this does not change any translation. SIGTERM and SIGINT end the server
after it has answered the received requests. SIGHUP reads models and keys again and reopens the access log,
without losing a request.)",
    .examples = R"(  heed serve --model models/en-de
  curl localhost:5000/translate -d 'q=The cat sleeps.' -d source=en -d target=de
  heed serve --model en-de=models/news --model de-en=models/back --port 8080 --host 0.0.0.0 --api-keys keys.txt
  heed serve --model 'en-de:<2de>,en-fr:<2fr>=models/many' --precision int8 --access-log access.log)",
    .common = {"model", "host", "port", "api-keys", "cors", "access-log", "max-body", "max-sentences",
               "max-alternatives", "max-requests-each", "max-waiting", "timeout", "batch-lines", "longest-wait",
               "precision", "threads"},
    .closing = "docs/guide/serve.md has more: limits, metrics, proxies, systemd.",
};

sigset_t signals_of_server() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

/// Sets `directory` to the model that is being opened. Throws what ModelSet and parse_models throw.
std::shared_ptr<const serve::ModelSet> open_models(const ServeCommand& command, std::string& directory) {
  const api::OpenOptions options{
      .checkpoint = {},
      .device = command.device,
      .engine = {.precision = command.precision, .threads = command.threads, .short_list = command.short_list}};
  return std::make_shared<const serve::ModelSet>(
      serve::parse_models(command.models), options,
      [&](const serve::ModelSource& source) { directory = source.directory; });
}

/// Opens the models at the start. Says so if heed-torch must serve them.
std::shared_ptr<const serve::ModelSet> open_first_models(const ServeCommand& command) {
  std::string directory;
  try {
    return open_models(command, directory);
  } catch (const api::NeedsTorch&) {
    log_info(fmt::format("{} needs LibTorch: heed-torch serves", directory));
    throw;
  }
}

void log_models(const serve::ModelSet& models) {
  for (const auto& [source, targets] : models.targets()) {
    for (const std::string& target : targets) log_info(fmt::format("serves {}-{}", source, target));
  }
}

/// Reads models and files again, while the server works. What cannot be read stays as it was.
void reload(serve::Server& server, const ServeCommand& command) {
  std::string directory;
  try {
    server.reload_files();
    server.replace_models(open_models(command, directory));
    log_info("models and keys are read again");
  } catch (const api::NeedsTorch&) {
    log_warning(fmt::format("the server keeps what it had: {} is not finished, or needs LibTorch", directory));
  } catch (const std::exception& error) {
    log_warning(fmt::format("the server keeps what it had: {}", sentence_of(error)));
  }
}

/// Models that share their work among threads by themselves are used by one batch at a time.
int64_t batches_at_once(const serve::ModelSet& models, int64_t threads) {
  return models.mixes_requests() ? api::threads_of(threads) : 1;
}

int run_server(const ServeCommand& command, const config::Arguments&) {
  const auto backend = api::registered_backend();
  const auto torch_threads = backend ? backend->borrow_threads(command.threads) : nullptr;
  const sigset_t signals = signals_of_server();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // before threads start: this one waits for signals
  auto models = open_first_models(command);
  log_models(*models);
  const int64_t threads = batches_at_once(*models, command.threads);
  serve::Server server(command.server, std::move(models), threads);
  log_info(fmt::format("listening on {}", server.address()));
  int signal = 0;
  while (sigwait(&signals, &signal) == 0 && signal == SIGHUP) reload(server, command);
  log_info("stops when the received requests are answered");
  server.stop(std::chrono::seconds(command.stop_seconds));
  return 0;
}

}  // namespace

config::Command serve_command() {
  return with_options<ServeCommand>({.name = "serve", .help = kServeHelp}, run_server);
}

}  // namespace heed::apps
