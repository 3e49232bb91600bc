#include "heed_torch/distributed/rendezvous.h"

#include <array>
#include <filesystem>
#include <random>
#include <sstream>
#include <system_error>

#include <unistd.h>

#include <fmt/format.h>

namespace heed::distributed {
namespace {

constexpr std::array kFields{&RankIdentity::name, &RankIdentity::ranks, &RankIdentity::model,
                             &RankIdentity::host, &RankIdentity::path,  &RankIdentity::number};
constexpr char kEndOfField = '\0';  // no path contains it

/// The path of the model directory here; if there is none, the name as it was given.
std::string path_here(const std::string& model) {
  std::error_code failed;
  const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(model, failed), failed);
  return failed || path.empty() ? model : path.string();
}

}  // namespace

RankIdentity own_identity(const Launch& launch, const std::string& model) {
  const std::string host = host_name();
  return {.name = fmt::format("process {} on {}", getpid(), host),
          .ranks = fmt::format("{}", launch.ranks),
          .model = model,
          .host = host,
          .path = path_here(model),
          .number = fmt::format("{}", std::random_device()())};
}

std::string to_text(const RankIdentity& identity) {
  std::string text;
  for (const auto field : kFields) text += identity.*field + kEndOfField;
  return text;
}

RankIdentity read_identity(const std::string& text) {
  RankIdentity identity;
  std::istringstream fields(text);
  for (const auto field : kFields) std::getline(fields, identity.*field, kEndOfField);
  return identity;
}

bool same_training(const RankIdentity& one, const RankIdentity& other) {
  if (one.ranks != other.ranks) return false;
  return one.host == other.host ? one.path == other.path : one.model == other.model;
}

}  // namespace heed::distributed
