#include "heed/command_line/option_list.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/command_line/former_names.h"
#include "heed/command_line/named_visitor.h"
#include "heed/command_line/similar_names.h"
#include "heed/command_line/toolkit_names.h"

namespace heed::config {
namespace {

class Lister : public NamedVisitor {
 public:
  std::vector<OptionEntry> options;

 protected:
  void field(const OptionField& field) override {
    const std::string name = name_of(field.name);
    auto known = std::find_if(options.begin(), options.end(), [&](const auto& option) {
      return option.name == name && option.help == field.help && option.choices == field.choices &&
             option.expected == field.expected;
    });
    if (known == options.end()) {
      options.push_back({.name = name,
                         .section = section(),
                         .help = field.help,
                         .kind = field.kind,
                         .choices = field.choices,
                         .expected = field.expected,
                         .restricted = field.restricted,
                         .fits = field.fits,
                         .places = {}});
      known = std::prev(options.end());
    }
    known->places.push_back({conditions_, fmt::format("{}", fmt::join(field.get(), " ")), chosen_});
  }

  void choose(const OptionAlternatives& alternatives) override {
    field(alternatives.choice);
    const std::string name = name_of(alternatives.choice.name);
    const bool chosen = chosen_;
    for (size_t i = 0; i < alternatives.choice.choices.size(); ++i) {
      conditions_.push_back({name, alternatives.choice.choices[i]});
      chosen_ = chosen && i == alternatives.index();
      if (i == alternatives.index()) {
        alternatives.describe_held(*this);
      } else {
        alternatives.describe_other(i, *this);
      }
      conditions_.pop_back();
    }
    chosen_ = chosen;
  }

 private:
  std::vector<Condition> conditions_;
  bool chosen_ = true;
};

class ValueReader : public NamedVisitor {
 public:
  std::vector<OptionValue> values;

 protected:
  void field(const OptionField& field) override {
    values.push_back({.name = name_of(field.name),
                      .section = section(),
                      .kind = field.kind,
                      .has_value = field.has_value,
                      .values = field.get()});
  }
};

std::string_view last_part(std::string_view name) { return name.substr(name.find_last_of('.') + 1); }

}  // namespace

bool OptionEntry::belongs_to(const Condition& condition) const {
  return std::ranges::any_of(places, [&](const Place& place) {
    return std::ranges::find(place.conditions, condition) != place.conditions.end();
  });
}

const OptionEntry* OptionList::find(std::string_view name) const {
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const OptionEntry& option) { return option.name == name; });
  return found == options.end() ? nullptr : &*found;
}

const OptionEntry* OptionList::find_chosen(std::string_view name) const {
  const auto found = std::ranges::find_if(options, [&](const OptionEntry& option) {
    return option.name == name && std::ranges::any_of(option.places, &Place::chosen);
  });
  return found == options.end() ? find(name) : &*found;
}

std::vector<Place> OptionList::places(std::string_view name) const {
  std::vector<Place> all;
  for (const OptionEntry& option : options) {
    if (option.name == name) all.insert(all.end(), option.places.begin(), option.places.end());
  }
  return all;
}

std::vector<std::string> OptionList::similar(std::string_view name) const {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  std::vector<std::string> of_peers = names_of_peers(wanted);
  std::erase_if(of_peers, [&](const std::string& own) { return find(own) == nullptr; });
  if (!of_peers.empty()) return of_peers;
  std::vector<std::pair<size_t, std::string>> near;
  const auto compare = [&](std::string_view meant, const std::string& present) {
    // A missing section is a smaller mistake than a wrong name.
    const size_t whole = 2 * edit_distance(wanted, meant);
    const size_t part = 2 * edit_distance(last_part(wanted), last_part(meant)) + 1;
    if (whole <= 2 * std::max<size_t>(2, wanted.size() / 4) || part <= 2 * (last_part(wanted).size() / 4) + 1) {
      near.emplace_back(std::min(whole, part), present);
    }
  };
  for (const OptionEntry& option : options) {
    compare(option.name, option.name);
    for (const std::string_view former : former_names(option.name)) compare(former, option.name);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [distance, similar_name] : near) {
    const bool known = std::find(names.begin(), names.end(), similar_name) != names.end();
    if (!known && names.size() < 3 && distance <= near.front().first + 2) names.push_back(similar_name);
  }
  return names;
}

OptionList list_options(const VisitOptions& walk) {
  Lister lister;
  walk(lister);
  return {std::move(lister.options), lister.section_help()};
}

std::vector<OptionValue> option_values(const VisitOptions& walk) {
  ValueReader reader;
  walk(reader);
  return std::move(reader.values);
}

std::vector<Difference> differences(const VisitOptions& before, const VisitOptions& after) {
  const auto as_map = [](const VisitOptions& walk) {
    std::map<std::string, std::string> texts;
    for (const OptionValue& option : option_values(walk)) {
      texts[option.name] = fmt::format("{}", fmt::join(option.values, " "));
    }
    return texts;
  };
  const auto old_texts = as_map(before);
  auto new_texts = as_map(after);
  std::vector<Difference> found;
  for (const auto& [name, text] : old_texts) {
    const auto other = new_texts.find(name);
    if (other == new_texts.end()) {
      found.push_back({name, text, ""});
    } else {
      if (other->second != text) found.push_back({name, text, other->second, /*shared=*/true});
      new_texts.erase(other);
    }
  }
  for (const auto& [name, text] : new_texts) found.push_back({name, "", text});
  return found;
}

}  // namespace heed::config
