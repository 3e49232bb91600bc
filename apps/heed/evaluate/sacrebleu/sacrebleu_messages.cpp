#include "evaluate/sacrebleu/sacrebleu_messages.h"

#include <cstdio>
#include <string>

#include "heed/core/text/printable.h"

namespace heed::apps {
namespace {

void say(std::string_view prefix, std::string_view message) {
  const std::string line = std::string(prefix).append(printable_message(message)).append("\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

void SacreBleuMessages::information(std::string_view message) const {
  if (!quiet_) say("sacreBLEU: ", message);
}

void SacreBleuMessages::warning(std::string_view message) const { say(quiet_ ? "" : "sacreBLEU: ", message); }

void SacreBleuMessages::fail(std::string_view message, int code) const {
  warning(message);
  throw Stop{code};
}

}  // namespace heed::apps
