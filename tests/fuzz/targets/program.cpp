// Command lines, and requests to the server.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "fuzz/target.h"
#include "fuzz/targets/targets.h"
#include "heed/command_line/argparse.h"
#include "heed/command_line/command_line.h"
#include "heed/serve/server.h"
#include "program_help.h"

namespace heed::fuzz {
namespace {

/// The input's lines, as the words of a command line.
std::vector<std::string> words_of(std::string_view input) {
  std::vector<std::string> words(1);
  for (const char c : input) {
    if (c == '\n')
      words.emplace_back();
    else if (c != '\0')  // no argument can have one
      words.back() += c;
  }
  return words;
}

std::vector<config::Command> make_commands() {
  std::vector<config::Command> commands;
  for (const auto& [name, summary, make] : apps::kCommands) {
    if (make == nullptr) continue;
    config::Command& command = commands.emplace_back(make());
    command.name = name;
    command.summary = summary;
  }
  return commands;
}

serve::Server& server() {
  static const std::string model = std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1";
  static serve::Server server(
      {.http = serve::HttpOptions{.port = 0, .max_body = 1 << 16, .idle_seconds = 1, .receive_seconds = 1},
       .api = serve::ApiOptions{.max_sentences = 20},
       .access_log = "none"},
      std::make_shared<const serve::ModelSet>(serve::parse_models({"en-de=" + model}), api::OpenOptions{}), 1);
  return server;
}

/// Sends the bytes to the server, and reads until it closes the connection.
std::string answer_to(std::string_view request) {
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(server().port()));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  require(connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  const timeval longest{.tv_sec = 15, .tv_usec = 0};
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
  for (size_t sent = 0; sent < request.size();) {
    const ssize_t count = send(connection, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) break;  // the server refuses the rest
    sent += static_cast<size_t>(count);
  }
  shutdown(connection, SHUT_WR);
  std::string answer;
  char bytes[4096];
  ssize_t count = 0;
  while ((count = recv(connection, bytes, sizeof bytes, 0)) > 0) answer.append(bytes, static_cast<size_t>(count));
  require(count == 0 || errno == ECONNRESET);  // not: it does not answer
  close(connection);
  return answer;
}

}  // namespace

void read_arguments(std::string_view input) {
  static const std::vector<config::Command> commands = make_commands();
  const std::vector<std::string> words = words_of(input);
  std::span<const std::string> rest(words);
  if (config::find_raw_command(commands, rest) == nullptr) config::read_command_line(apps::kHeed, commands, words);
}

void read_python_arguments(std::string_view input) {
  using config::ArgumentCount;
  const auto take = [](std::span<const std::string> values) {
    if (!values.empty() && values[0] == "bad") throw std::invalid_argument("must not be bad");
  };
  const std::vector<config::ParsedOption> options{
      {.names = {"--input", "-i"}, .count = ArgumentCount::One, .take = take},
      {.names = {"--inputs"}, .count = ArgumentCount::OneOrMore, .take = take, .exclusive_group = 1},
      {.names = {"--verbose", "-v"}, .count = ArgumentCount::None, .take = take},
      {.names = {"--codes", "-c"}, .count = ArgumentCount::Any, .take = take, .exclusive_group = 1},
      {.names = {}, .count = ArgumentCount::Any, .take = [](std::span<const std::string>) {}}};
  config::parse_as_argparse(options, words_of(input));
}

void serve_requests(std::string_view input) {
  const std::string answer = answer_to(input);
  require(answer.empty() || answer.starts_with("HTTP/1."));
  require(!answer.starts_with("HTTP/1.1 500"));
}

}  // namespace heed::fuzz
