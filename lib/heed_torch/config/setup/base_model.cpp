#include "heed_torch/config/setup/training_model.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed_torch/checkpoint/named_tensors.h"
#include "heed_torch/nn/lora.h"

namespace heed::config {
namespace {

using at::Tensor;

/// Which entries of two vocabularies are the same.
struct SharedEntries {
  Tensor there;        ///< int64 [shared], ids in the base's vocabulary
  Tensor here;         ///< int64 [shared], ids in the new vocabulary
  bool same = true;    ///< whether the two vocabularies are equal
  bool grown = false;  ///< whether there are entries that the base does not have
};

/// Smaller ids are special entries, which are the same in all vocabularies.
int32_t first_piece(const text::Tokenizer& tokenizer) {
  return std::holds_alternative<text::Ids>(tokenizer.target_type()) ? text::kEos + 1 : 0;
}

SharedEntries shared_entries(const text::Tokenizer& base, const text::Tokenizer& now, std::string_view side) {
  if (std::holds_alternative<text::Numbers>(now.target_type())) return {};
  std::unordered_map<std::string, int64_t> ids;
  for (int32_t id = first_piece(base); id < base.size(); ++id) ids.emplace(base.piece(id), id);
  std::vector<int64_t> there, here;
  bool same = base.size() == now.size();
  for (int32_t id = 0; id < now.size(); ++id) {
    const bool special = id < first_piece(now);
    const auto found = special ? ids.end() : ids.find(now.piece(id));
    if (!special && found == ids.end()) continue;
    there.push_back(special ? id : found->second);
    here.push_back(id);
    same = same && there.back() == id;
  }
  const auto shared = std::ssize(here);
  if (shared == first_piece(now)) {
    throw Error(fmt::format("the {} vocabulary shares no entry with that of the base model", side));
  }
  same = same && shared == now.size();
  if (!same) {
    log_info(
        fmt::format("{} vocabulary: {} of {} entries copy their rows from the base model, {} start with random "
                    "values",
                    side, format_count(shared), format_count(now.size()), format_count(now.size() - shared)));
  }
  return {.there = torch::tensor(there, at::kLong),
          .here = torch::tensor(here, at::kLong),
          .same = same,
          .grown = shared < now.size()};
}

enum class Side { Source, Target };

/// The tables that have a row for each entry of a vocabulary; a CRF's tables have a column too.
struct VocabularyTable {
  std::string_view ending;  ///< of the name
  Side side;
};
constexpr VocabularyTable kTables[] = {
    {"encoder.embedding.weight", Side::Source},
    {"decoder.embedding.weight", Side::Target},
    {"output.weight", Side::Target},
    {"output.bias", Side::Target},
    {".idf", Side::Source},
    {"head.crf.transitions", Side::Target},
    {"head.crf.begin", Side::Target},
    {"head.crf.end", Side::Target},
};

const VocabularyTable* table_of(std::string_view name) {
  for (const VocabularyTable& table : kTables) {
    if (table.ending.front() == '.' ? name.ends_with(table.ending) : name == table.ending) return &table;
  }
  return nullptr;
}

/// Numbers to predict have no names: they can only differ in count.
void require_same_shape(const std::string& name, const Tensor& to, const Tensor& from) {
  if (to.sizes() == from.sizes()) return;
  throw Error(
      fmt::format("`{}` of the base model must have the shape [{}], but has [{}]: the targets are of another kind",
                  name, fmt::join(to.sizes(), ", "), fmt::join(from.sizes(), ", ")));
}

/// Copies the rows that both vocabularies have; in a square table of labels, the columns too.
void copy_shared(const Tensor& to, const Tensor& from, const SharedEntries& entries, bool square) {
  Tensor rows = from.index_select(0, entries.there);
  if (!square) {
    to.index_copy_(0, entries.here, rows);
    return;
  }
  rows = rows.index_select(1, entries.there);
  to.index_put_({entries.here.unsqueeze(1), entries.here.unsqueeze(0)}, rows);
}

}  // namespace

std::optional<OpenedModel> open_base(const RunOptions& options) {
  if (!options.base.gives_weights()) return std::nullopt;
  return open_model(options.base.from, "", at::kCPU);
}

void take_weights(models::Model& model, const text::Tokenizers& tokenizers, const OpenedModel& base) {
  const at::NoGradGuard no_grad;
  const SharedEntries source = tokenizers.source && base.tokenizers.source
                                   ? shared_entries(*base.tokenizers.source, *tokenizers.source, "source")
                                   : SharedEntries{};
  const bool joint = tokenizers.source == tokenizers.target && base.tokenizers.source == base.tokenizers.target;
  const SharedEntries target = joint ? source : shared_entries(*base.tokenizers.target, *tokenizers.target, "target");
  checkpoint::NamedTensors weights = checkpoint::named_tensors(model);
  std::erase_if(weights, [](const auto& entry) { return nn::is_of_lora(entry.first); });
  const auto parameters = model.named_parameters();
  for (const auto& [name, from] : checkpoint::named_tensors(*base.model)) {
    const Tensor& to = weights.at(name);
    const VocabularyTable* table = table_of(name);
    const SharedEntries* entries = table == nullptr ? nullptr : table->side == Side::Source ? &source : &target;
    if (entries == nullptr || entries->same) {
      require_same_shape(name, to, from);
      to.copy_(from);
      continue;
    }
    copy_shared(to, from, *entries, name == "head.crf.transitions");
    const Tensor* parameter = parameters.find(name);
    if (entries->grown && parameter != nullptr && !parameter->requires_grad()) {
      throw ConfigError(fmt::format(
          "`{}` is frozen, but the vocabulary has entries that the base model does not have, whose rows nothing would "
          "train: leave it out of `train.freeze`, or with LoRA name it in `train.adapter.modules-to-save`",
          name));
    }
  }
}

}  // namespace heed::config
