#include "heed/model_directory/manifest.h"

#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/checksum.h"
#include "heed/core/files/regular_file.h"
#include "heed/core/text/json_nesting.h"
#include "heed/text/placeholders.h"

namespace heed::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsualSourceLength = "usual_source_length";
constexpr uint64_t kLargestManifest = uint64_t{64} << 20;  // bytes

nlohmann::json to_json(const std::map<std::string, FileRecord>& files) {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [name, record] : files) json[name] = {{"size", record.size}, {"sha256", record.sha256}};
  return json;
}

/// Whether the name is a file directly in the directory.
bool is_file_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find_first_of(std::string_view("/\0", 2)) == name.npos;
}

std::map<std::string, FileRecord> files_from(const nlohmann::json& json, const std::string& path) {
  std::map<std::string, FileRecord> files;
  for (const auto& [name, record] : json.items()) {
    if (!is_file_name(name)) {
      throw CheckpointError(path, fmt::format("lists `{}`, which is not the name of a file in its directory", name));
    }
    files[name] = {.size = record.at("size"), .sha256 = record.at("sha256")};
  }
  return files;
}

/// Removes scores that are infinite or NaN, which JSON cannot represent.
std::map<std::string, double> finite(std::map<std::string, double> scores) {
  std::erase_if(scores, [](const auto& score) { return !std::isfinite(score.second); });
  return scores;
}

nlohmann::json to_json(const ModelOrigin& origin) {
  nlohmann::json json = {
      {"chosen", origin.chosen}, {"updates", origin.steps}, {"scores", finite(origin.scores.by_name)}};
  if (origin.scores.version > 0) json["era"] = origin.scores.version;
  return json;
}

ModelOrigin origin_from(const nlohmann::json& json) {
  ModelOrigin origin;
  origin.chosen = json.value("chosen", origin.chosen);
  origin.steps = json.value("updates", origin.steps);
  origin.scores.by_name = json.value("scores", origin.scores.by_name);
  origin.scores.version = json.value("era", origin.scores.version);
  return origin;
}

Manifest from_json(const nlohmann::json& json, const std::string& path) {
  Manifest manifest;
  manifest.format = json.at("format");
  if (manifest.format > kFormatVersion) {
    throw CheckpointError(path,
                          fmt::format("has format version {}, this program reads versions up to {}: use a newer heed",
                                      manifest.format, kFormatVersion));
  }
  if (manifest.format < 1)
    throw CheckpointError(path, fmt::format("has format version {}, which does not exist", manifest.format));
  manifest.files = files_from(json.at("files"), path);
  manifest.pending = files_from(json.value("pending", nlohmann::json::object()), path);
  if (json.contains("seed")) manifest.seed = json.at("seed").get<uint64_t>();
  manifest.corpus = json.value("corpus", manifest.corpus);
  manifest.folder = json.value("folder", manifest.folder);
  if (json.contains(kUsualSourceLength)) manifest.usual_source_length = json.at(kUsualSourceLength).get<int64_t>();
  manifest.origin = origin_from(json);
  if (json.contains("pending_origin")) manifest.pending_origin = origin_from(json.at("pending_origin"));
  if (json.contains("rank")) manifest.comparable_score = json.at("rank").get<double>();
  manifest.scheduled = json.value("scheduled", manifest.scheduled);
  manifest.scored_off_schedule = json.value("scored_off_schedule", manifest.scored_off_schedule);
  return manifest;
}

int64_t size_of(const std::string& path) { return static_cast<int64_t>(size_of_file(path)); }

/// How the file differs from its record, as a message; empty if it does not differ.
std::string difference(const std::string& path, const FileRecord& record, Verify verify) {
  const int64_t size = size_of(path);
  if (size != record.size) return fmt::format("has {} bytes, the manifest says {}", size, record.size);
  if (verify == Verify::Checksums && sha256_of_file(path) != record.sha256)
    return "is damaged: its checksum is not the manifest's";
  return {};
}

/// Writes `manifest` with the replacement that is about to happen. The manifest is on disk before the file is replaced.
void announce(const std::string& directory, Manifest manifest, const std::string& name, const FileRecord& record,
              const std::optional<ModelOrigin>& origin) {
  manifest.pending[name] = record;
  manifest.pending_origin = origin;
  write_manifest(directory, manifest);
  sync_directory(directory);
}

/// Undoes the announcement after a file could not be replaced. If this fails too, the file stays pending, and the next
/// start settles it.
void withdraw_announcement(const std::string& directory, const Manifest& manifest) {
  try {
    write_manifest(directory, manifest);
  } catch (const FileError&) {
    return;  // the caller reports the first error
  }
}

}  // namespace

FileRecord record_of(const std::string& path) { return {.size = size_of(path), .sha256 = sha256_of_file(path)}; }

std::string manifest_text(const Manifest& manifest) {
  nlohmann::json json = {{"format", manifest.format}, {"files", to_json(manifest.files)}};
  if (manifest.seed) json["seed"] = *manifest.seed;
  if (!manifest.pending.empty()) json["pending"] = to_json(manifest.pending);
  if (!manifest.corpus.empty()) json["corpus"] = manifest.corpus;
  if (!manifest.folder.empty()) json["folder"] = manifest.folder;
  if (manifest.usual_source_length) json[kUsualSourceLength] = *manifest.usual_source_length;
  if (!manifest.origin.chosen.empty()) json.update(to_json(manifest.origin));
  if (manifest.pending_origin) json["pending_origin"] = to_json(*manifest.pending_origin);
  if (const auto& score = manifest.comparable_score; score && std::isfinite(*score)) json["rank"] = *score;
  if (!manifest.scheduled) json["scheduled"] = false;
  if (manifest.scored_off_schedule) json["scored_off_schedule"] = true;
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void write_manifest(const std::string& directory, const Manifest& manifest) {
  write_file(directory + "/" + kManifestFile, manifest_text(manifest));
}

Manifest read_manifest(const std::string& directory) {
  const std::string path = directory + "/" + kManifestFile;
  if (!path_exists(path)) throw CheckpointError(directory, "is not a model directory: it has no manifest.json");
  const std::string content = read_regular_file(path, kLargestManifest);
  if (is_nested_deeper(content)) throw CheckpointError(path, "is damaged: it " + nested_too_deep());
  const nlohmann::json json = nlohmann::json::parse(content, nullptr, /*allow_exceptions=*/false);
  try {
    return from_json(json, path);
  } catch (const nlohmann::json::exception&) {
    throw CheckpointError(path, "is damaged: it is not the manifest of a model");
  }
}

void verify_files(const std::string& directory, const Manifest& manifest, Verify verify) {
  for (const auto& [name, record] : manifest.files) {
    const std::string path = directory + "/" + name;
    if (!is_regular_file(path)) throw CheckpointError(path, "is missing, the manifest lists it");
    const std::string problem = difference(path, record, verify);
    if (problem.empty()) continue;
    const auto pending = manifest.pending.find(name);
    if (pending != manifest.pending.end() && difference(path, pending->second, verify).empty()) continue;
    throw CheckpointError(path, problem);
  }
}

bool describes_model(std::string_view name) {
  return name == "config.toml" || name == text::Placeholders::kFile || name.starts_with("source.") ||
         name.starts_with("target.");
}

void enter(Manifest& manifest, const std::string& name, const FileRecord& record,
           const std::optional<ModelOrigin>& origin) {
  manifest.files[name] = record;
  if (name == kPublishedModel && origin) manifest.origin = *origin;
}

void enter_replaced(const std::string& directory, Manifest& manifest) {
  for (const auto& [name, record] : manifest.pending) {
    const std::string path = directory + "/" + name;
    const bool replaced = fs::is_regular_file(path) && record_of(path) == record;
    if (replaced) enter(manifest, name, record, manifest.pending_origin);
    // The first versions of heed wrote the new model's origin before they replaced the model. So the old model's origin
    // is unknown.
    if (!replaced && name == kPublishedModel && !manifest.pending_origin) manifest.origin.steps.clear();
  }
}

void replace_file(const std::string& directory, Manifest& manifest, const std::string& name,
                  const std::string& replacement, const std::optional<ModelOrigin>& origin) {
  FileRecord record;
  std::error_code refused;
  bool announced = false;
  try {
    record = record_of(replacement);
    announced = true;
    announce(directory, manifest, name, record, origin);
    fs::rename(replacement, directory + "/" + name, refused);
    if (refused) throw FileError(directory + "/" + name, "write", refused.value());
  } catch (...) {
    fs::remove(replacement, refused);
    if (announced) withdraw_announcement(directory, manifest);
    throw;
  }
  enter(manifest, name, record, origin);
  sync_directory(directory);
  write_manifest(directory, manifest);
}

void remove_file(const std::string& directory, Manifest& manifest, const std::string& name) {
  manifest.files.erase(name);
  Manifest announced = manifest;
  announced.pending[name] = {.size = kPendingRemoval, .sha256 = ""};
  write_manifest(directory, announced);
  sync_directory(directory);
  remove_pending(directory, announced);
  write_manifest(directory, manifest);
}

void remove_pending(const std::string& directory, const Manifest& manifest) {
  for (const auto& [name, record] : manifest.pending) {
    if (record.size != kPendingRemoval) continue;
    const std::string path = directory + "/" + name;
    std::error_code refused;
    fs::remove(path, refused);
    if (refused) throw FileError(path, "remove", refused.value());
  }
}

Manifest read_model_manifest(const std::string& model) {
  if (!fs::exists(model)) throw CheckpointError(model, "is not a model directory: it does not exist");
  Manifest manifest = read_manifest(model);
  enter_replaced(model, manifest);
  return manifest;
}

std::optional<std::string> finished_model(const std::string& model, Verify verify) {
  const Manifest manifest = read_model_manifest(model);
  const std::string parameters = model + "/" + kPublishedModel;
  if (manifest.origin.chosen.empty() || !is_regular_file(parameters)) return std::nullopt;
  verify_files(model, manifest, verify);
  return parameters;
}

void verify_finished_model(const std::string& directory) {
  const Manifest manifest = read_manifest(directory);
  if (manifest.origin.chosen.empty() && !manifest.pending_origin) {
    throw CheckpointError(directory, "has no finished model");
  }
  verify_files(directory, manifest, Verify::Checksums);
}

}  // namespace heed::checkpoint
