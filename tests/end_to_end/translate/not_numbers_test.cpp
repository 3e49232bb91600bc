// `heed translate` with a model whose activations overflow: an error in every precision, never a translation.
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/files/checksum.h"

namespace heed::end_to_end {
namespace {

/// The bytes of a safetensors file with the largest floats, of both signs, as one of its tensors.
std::string with_huge_tensor(std::string file, const std::string& name) {
  uint64_t header = 0;
  std::memcpy(&header, file.data(), sizeof header);
  const auto place = nlohmann::json::parse(file.substr(8, header)).at(name).at("data_offsets");
  const size_t begin = place.at(0), end = place.at(1);
  for (size_t at = begin; at < end; at += sizeof(float)) {
    const float value = std::numeric_limits<float>::max() * (at % 8 == 0 ? 1.0F : -1.0F);
    std::memcpy(file.data() + 8 + header + at, &value, sizeof value);
  }
  return file;
}

TEST(NotNumbers, AreAnErrorInEveryPrecision) {
  const Folder folder;
  const std::string model = folder.path("model"), weights = model + "/model.safetensors";
  std::filesystem::copy(std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1", model);
  const std::string whole = read_file(weights);
  nlohmann::json manifest = nlohmann::json::parse(read_file(model + "/manifest.json"));
  for (const std::string name : {"encoder.norm.weight", "decoder.layers.0.self_attention.query_key_value.weight",
                                 "decoder.layers.0.feed_forward.output.weight", "decoder.embedding.weight"}) {
    const std::string damaged = with_huge_tensor(whole, name);
    write_file(weights, damaged);
    manifest["files"]["model.safetensors"]["sha256"] = sha256(damaged);
    write_file(model + "/manifest.json", manifest.dump());
    for (const std::string precision : {"fp32", "bf16", "int8"}) {
      const Result result =
          heed({"translate", "--model", model, "--threads", "1", "--precision", precision}, "one two\n");
      SCOPED_TRACE(name + " " + precision);
      expect_error(result, 1, "the model's scores are not numbers: were its parameters damaged?");
    }
  }
}

}  // namespace
}  // namespace heed::end_to_end
