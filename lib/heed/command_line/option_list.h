// What a struct of described options holds, seen from outside: every option under its dotted name, those of the
// alternatives not chosen among them (for --help, flags and suggestions), or the values it has now (for files,
// comparison and logs).
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/options.h"

namespace heed::config {

/// Visits described options; see walk_of().
using Walk = std::function<void(OptionVisitor&)>;

/// The walk over one struct of options, which must outlive it.
template <class Options>
Walk walk_of(Options& options) {
  return [&options](OptionVisitor& visitor) { describe(options, visitor); };
}

/// An option belongs to an alternative: it exists while the option `choice` has the value `value`.
struct Condition {
  std::string choice;
  std::string value;
  bool operator==(const Condition&) const = default;
};

/// One of the alternatives (nested ones are a conjunction; empty: always there) that has an option of this name.
struct Place {
  std::vector<Condition> conditions;
  std::string default_value;  ///< as text; the values of a list stand side by side
  bool chosen = true;         ///< whether all conditions hold as the options are
};

struct OptionEntry {
  std::string name;     ///< "arch.encoder.cell"
  std::string section;  ///< "arch.encoder"; empty on the top level
  std::string help;
  ValueKind kind = ValueKind::Text;
  std::vector<std::string> choices;
  std::string expected;
  bool restricted = false;                                 ///< not every value of its kind will do
  std::function<bool(std::span<const std::string>)> fits;  ///< whether the option takes such values
  std::vector<Place> places;

  /// Whether one of its places has this condition.
  bool belongs_to(const Condition& condition) const;
};

/// Every option, in the order of description. Alternatives that mean the same by a name share an entry; a name that
/// means something else with another alternative has one for each.
struct OptionList {
  std::vector<OptionEntry> options;
  std::map<std::string, std::string> sections;  ///< their help

  /// The first of that name.
  const OptionEntry* find(std::string_view name) const;
  /// That of the alternatives chosen, or the first of that name.
  const OptionEntry* find_chosen(std::string_view name) const;
  /// Wherever there is an option of that name.
  std::vector<Place> places(std::string_view name) const;
  /// Up to three names that `name` may stand for, the likeliest first: what another toolkit calls so (peer_names.h), or
  /// what looks like it.
  std::vector<std::string> similar(std::string_view name) const;
};

/// The defaults are the present values of what `walk` visits.
OptionList list_options(const Walk& walk);

/// One option with its present value.
struct OptionValue {
  std::string name;
  std::string section;
  ValueKind kind = ValueKind::Text;
  bool has_value = true;  ///< false for an absent optional; values is then {"none"}
  std::vector<std::string> values;
};

/// The options of the chosen alternatives, in the order of description.
std::vector<OptionValue> option_values(const Walk& walk);

/// An option that two structs of options do not agree on.
struct Difference {
  std::string name;
  std::string before, after;  ///< as text; empty where the option does not apply
  bool shared = false;        ///< whether it applies to both
};
std::vector<Difference> differences(const Walk& before, const Walk& after);

}  // namespace heed::config
