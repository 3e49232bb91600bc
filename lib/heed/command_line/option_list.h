// Lists the described options of a struct: all options with dotted names, including those of alternatives not selected
// (for --help, flags and suggestions), or the present values (for files, comparison and logs).
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/options.h"

namespace heed::config {

/// Visits described options; see visit_options().
using VisitOptions = std::function<void(OptionVisitor&)>;

/// A function that visits the options of a struct, which must outlive it.
template <class Options>
VisitOptions visit_options(Options& options) {
  return [&options](OptionVisitor& visitor) { describe(options, visitor); };
}

/// A condition for an option: it belongs to an alternative and exists only if the option `choice` has the value
/// `value`.
struct Condition {
  std::string choice;
  std::string value;
  bool operator==(const Condition&) const = default;
};

/// An alternative that has an option of this name. Nested alternatives have several conditions, which must all hold;
/// empty: the option always exists.
struct Place {
  std::vector<Condition> conditions;
  std::string default_value;  ///< as text; the values of a list are separated by spaces
  bool chosen = true;         ///< whether all conditions hold for the present options
};

struct OptionEntry {
  std::string name;     ///< "arch.encoder.cell"
  std::string section;  ///< "arch.encoder"; empty at the top level
  std::string help;
  ValueKind kind = ValueKind::Text;
  std::vector<std::string> choices;
  std::string expected;
  bool restricted = false;                                 ///< some values of its kind are invalid
  std::function<bool(std::span<const std::string>)> fits;  ///< whether the option accepts these values
  std::vector<Place> places;

  /// Whether one of its places has this condition.
  bool belongs_to(const Condition& condition) const;
};

/// All options, in the order of description. Alternatives with the same option share an entry. If a name has different
/// meanings in different alternatives, each has its own entry.
struct OptionList {
  std::vector<OptionEntry> options;
  std::map<std::string, std::string> sections;  ///< help texts by section

  /// The first option of that name.
  const OptionEntry* find(std::string_view name) const;
  /// The option of that name in the selected alternatives, or else the first of that name.
  const OptionEntry* find_chosen(std::string_view name) const;
  /// All places of options of that name.
  std::vector<Place> places(std::string_view name) const;
  /// Up to three names that `name` may mean, most probable first: an option that another toolkit calls so
  /// (toolkit_names.h), or one with a similar name.
  std::vector<std::string> similar(std::string_view name) const;
};

/// The defaults are the present values of the options that `walk` visits.
OptionList list_options(const VisitOptions& walk);

/// One option with its present value.
struct OptionValue {
  std::string name;
  std::string section;
  ValueKind kind = ValueKind::Text;
  bool has_value = true;  ///< false for an absent optional; values is then {"none"}
  std::vector<std::string> values;
};

/// The options of the selected alternatives, in the order of description.
std::vector<OptionValue> option_values(const VisitOptions& walk);

/// An option with different values in two structs of options.
struct Difference {
  std::string name;
  std::string before, after;  ///< as text; empty if the option does not apply
  bool shared = false;        ///< whether it applies to both
};
std::vector<Difference> differences(const VisitOptions& before, const VisitOptions& after);

}  // namespace heed::config
