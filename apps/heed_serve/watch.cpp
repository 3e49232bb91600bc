// `heed watch`: the page of a training in the browser, live.
#include <csignal>
#include <string>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/report/run_page.h"
#include "program.h"
#include "watch_server.h"

namespace heed::apps {
namespace {

struct WatchCommand {
  std::string host = "127.0.0.1";
  int64_t port = 8000;
};
void describe(WatchCommand& o, OptionVisitor& visit) {
  visit("host", o.host, "name or address to listen on; 0.0.0.0 or :: for all addresses of this machine");
  visit("port", o.port, "port to listen on; 0: any free port, which the log names", between(0, 65535));
}

const config::CommandHelp kWatchHelp{
    .usage = "heed watch DIR... [--port N] [--host ADDRESS]",
    .summary =
        R"(Shows trainings in a browser: the page that `heed report` writes, renewed while it is open. With several
model directories, the page compares them. `heed watch` only reads the directories, so you can start and stop
it at any time; Ctrl-C ends it. `heed train --watch PORT` does the same for its own training.)",
    .examples = R"(  heed watch models/en-de
  heed watch models/small models/base --port 8080
  ssh -L 8000:localhost:8000 server heed watch models/en-de      # a training on another machine)",
};

int watch(const WatchCommand& command, const config::Arguments& given) {
  if (given.positionals.empty()) throw ConfigError("no training given: name its model directory");
  for (const std::string& directory : given.positionals) report::read_run(directory, directory);  // for its error
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // before the server's thread starts: this one waits for signals
  const WatchServer server(given.positionals, {.host = command.host, .port = command.port});
  log_info(fmt::format("open {}", server.address()));
  int signal = 0;
  sigwait(&signals, &signal);
  return 0;
}

}  // namespace

config::Command watch_command() {
  return with_options<WatchCommand>({.name = "watch", .help = kWatchHelp, .positionals = config::Positionals::Allowed},
                                    watch);
}

}  // namespace heed::apps
