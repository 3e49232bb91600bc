#include "heed/model_directory/pack_model.h"

#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/archive.h"
#include "heed/core/files/checksum.h"
#include "heed/core/files/mapped_file.h"
#include "heed/model_directory/manifest.h"
#include "heed/model_directory/published.h"
#include "heed/text/short_list.h"

namespace heed::checkpoint {
namespace {

/// The files of a model, mapped: they stay as they are if a training replaces them.
struct MappedModel {
  Manifest manifest;
  std::map<std::string, MappedFile> files;
};

/// The manifest of the packed model.
Manifest packed_manifest(const std::string& model) {
  Manifest manifest = read_model_manifest(model);
  if (manifest.origin.chosen.empty()) throw CheckpointError(model, "has no finished model");
  std::erase_if(manifest.files, [](const auto& file) {
    const std::string& name = file.first;
    return !describes_model(name) && name != kPublishedModel && name != text::kShortListFile;
  });
  manifest.pending.clear();
  manifest.pending_origin.reset();
  manifest.folder.clear();
  return manifest;
}

MappedModel map_model(const std::string& model) {
  MappedModel mapped{.manifest = packed_manifest(model), .files = {}};
  for (const auto& [name, record] : mapped.manifest.files) {
    const std::string path = model + "/" + name;
    MappedFile file(path);
    const std::string_view bytes(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
    if (sha256(bytes) != record.sha256) throw CheckpointError(path, "is damaged: its checksum is not the manifest's");
    mapped.files.emplace(name, std::move(file));
  }
  return mapped;
}

}  // namespace

PackedModel pack_model(const std::string& model, AtomicFile& output) {
  const MappedModel mapped = read_consistently(model, [&] { return map_model(model); });
  const std::string manifest = manifest_text(mapped.manifest);
  std::vector<FileToArchive> files{{.name = kManifestFile, .bytes = std::as_bytes(std::span(manifest))}};
  for (const auto& [name, file] : mapped.files) files.push_back({.name = name, .bytes = file.bytes()});
  write_archive(output, files);
  PackedModel packed{.files = std::ssize(files)};
  for (const FileToArchive& file : files) packed.bytes += file.bytes.size();
  return packed;
}

}  // namespace heed::checkpoint
