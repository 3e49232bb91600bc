#include "heed/curation/split_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"
#include "heed/curation/random_order.h"

namespace heed::curation {
namespace {

struct Group {
  int64_t first = 0;
  int64_t size = 0;
};

/// Takes groups out of `free` until they have `size` pairs. most: of a group, unless no smaller one is left.
void take_groups(std::vector<Group>& free, int64_t size, int64_t most, Part part, std::vector<Part>& of_group) {
  int64_t left = size;
  const auto take = [&](Group& group) {
    of_group[static_cast<size_t>(group.first)] = part;
    left -= group.size;
    group.size = 0;
  };
  for (Group& group : free) {
    if (left > 0 && group.size <= std::min(left, most)) take(group);
  }
  while (left > 0) {
    Group* smallest = nullptr;
    for (Group& group : free) {
      if (group.size > 0 && (smallest == nullptr || group.size < smallest->size)) smallest = &group;
    }
    // The rest is less than any group: less is better than much more.
    if (smallest == nullptr || (left < size && smallest->size > 2 * left)) break;
    take(*smallest);
  }
  std::erase_if(free, [](const Group& group) { return group.size == 0; });
}

}  // namespace

SplitPlan::SplitPlan(const std::vector<int64_t>& groups) : sets_(std::ssize(groups)), lines_(std::ssize(groups)) {
  for (int64_t line = 0; line < lines_; ++line) sets_.join(groups[static_cast<size_t>(line)], line);
}

void SplitPlan::add_document(int64_t line, const std::string& document) {
  has_documents_ = true;
  sets_.join(documents_.try_emplace(document, line).first->second, line);
}

std::vector<Part> SplitPlan::choose(const SplitSizes& sizes, uint64_t seed) {
  if (sizes.valid >= lines_ || sizes.test >= lines_ - sizes.valid) {
    throw Error(fmt::format("the text has {}, which is too few for {} of validation and test text",
                            counted(lines_, "pair"), format_count(sizes.valid + sizes.test)));
  }
  std::vector<int64_t> counts(static_cast<size_t>(lines_));
  for (int64_t line = 0; line < lines_; ++line) ++counts[static_cast<size_t>(sets_.find(line))];
  std::vector<Group> free;
  for (int64_t line = 0; line < lines_; ++line) {
    const int64_t size = counts[static_cast<size_t>(line)];
    if (size > 0) free.push_back({line, size});
    groups_of_several_ += size > 1;
  }
  std::ranges::sort(free, {}, [&](const Group& group) { return random_key(seed, group.first + 1); });
  std::vector<Part> of_group(static_cast<size_t>(lines_), Part::Train);
  const auto most = [&](int64_t size) { return has_documents_ ? size : std::max<int64_t>(1, size / 20); };
  take_groups(free, sizes.test, most(sizes.test), Part::Test, of_group);
  take_groups(free, sizes.valid, most(sizes.valid), Part::Valid, of_group);
  if (free.empty())
    throw Error(
        "all pairs belong together, as one document or as near-duplicates: nothing is left for the training text");
  std::vector<Part> parts(static_cast<size_t>(lines_));
  for (int64_t line = 0; line < lines_; ++line)
    parts[static_cast<size_t>(line)] = of_group[static_cast<size_t>(sets_.find(line))];
  return parts;
}

}  // namespace heed::curation
