// Described options. Every configurable class has an aggregate XOptions and, directly below it, a function
// `describe(XOptions&, AnyOptionVisitor auto&)`. It lists each field once: name, member, help. The command line, the
// configuration file, --help, the checkpoint and the log all visit this list with an OptionVisitor. In headers it is a
// template, so that files that only read the options do not compile it: this saves seconds per file.
//
//   enum class Direction { Forward, Backward };
//   constexpr auto option_names(Direction) {
//     return std::array{std::pair{Direction::Forward, "forward"}, std::pair{Direction::Backward, "backward"}};
//   }
//   struct LayerOptions {
//     int64_t heads = 8;                         ///< attention heads
//     Direction direction = Direction::Forward;  ///< reading direction of the sentence
//   };
//   void describe(LayerOptions& o, AnyOptionVisitor auto& visit) {
//     visit("heads", o.heads, "attention heads", at_least(1));
//     visit("direction", o.direction, "in which the sentence is read");
//   }
//
// Field types: bool, int64_t, double, std::string, enums with names (core/enum_names.h), std::optional of these ("none"
// = absent), std::vector<std::string>, std::vector<double>, Amount (core/amount.h). Alternatives are a std::variant of
// option structs. Each has a `static constexpr std::string_view kName`, and may have a kHelp of a few words for the
// help of the choice. visit.alternatives("type", o.encoder, "...") lists the name of the choice and the fields of the
// current alternative.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "heed/core/amount.h"
#include "heed/core/enum_names.h"

namespace heed {

/// The interval of allowed numbers. It includes its ends, except `lowest` if `open` is true.
struct Bounds {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool open = false;
  bool contain(double value) const { return (open ? value > lowest : value >= lowest) && value <= highest; }
};
constexpr Bounds above(double lowest) { return {.lowest = lowest, .open = true}; }
constexpr Bounds at_least(double lowest) { return {.lowest = lowest}; }
constexpr Bounds between(double lowest, double highest) { return {.lowest = lowest, .highest = highest}; }

/// The type of a value in a configuration file.
enum class ValueKind { Flag, WholeNumber, Number, Text, List };

/// One option as readers and writers see it. Values are passed as texts: one text, or any number for a list (of numbers
/// too).
struct OptionField {
  std::string_view name;  ///< kebab-case, without the section
  /// "`FILE` with the text": a word in backquotes at the start is the placeholder of the value in --help.
  std::string help;
  ValueKind kind = ValueKind::Text;
  std::vector<std::string> choices;  ///< the names of an enum's values; empty for other types
  std::string expected;              ///< "a whole number of at least 1", for messages and --help
  bool restricted = false;           ///< some values of this kind are not allowed
  bool has_value = true;             ///< false for an optional without a value
  std::function<std::vector<std::string>()> get;
  /// Throws std::invalid_argument (without text) if the texts are not a valid value.
  std::function<void(std::span<const std::string>)> set;
  /// Whether set() accepts the texts. Unlike get and set, it may be called after the options were destroyed.
  std::function<bool(std::span<const std::string>)> fits;
};

class OptionVisitor;

/// The parameter type of a `describe` in a header: OptionVisitor or a class derived from it.
template <class Visitor>
concept AnyOptionVisitor = std::derived_from<Visitor, OptionVisitor>;

/// Calls use(options) with a default-constructed struct for each alternative of the variant.
template <class Variant, class Use, size_t... I>
void for_each_alternative(const Use& use, std::index_sequence<I...>) {
  (use(std::variant_alternative_t<I, Variant>{}), ...);
}
template <class Variant, class Use>
void for_each_alternative(const Use& use) {
  for_each_alternative<Variant>(use, std::make_index_sequence<std::variant_size_v<Variant>>{});
}

/// A choice between option structs, as readers and writers see it.
struct OptionAlternatives {
  OptionField choice;                                          ///< the field that selects the alternative
  std::function<size_t()> index;                               ///< the current alternative
  std::function<void(OptionVisitor&)> describe_held;           ///< visits the fields of the current alternative
  std::function<void(size_t, OptionVisitor&)> describe_other;  ///< visits the fields of another alternative,
                                                               ///< default-constructed
};

namespace option_detail {
OptionField whole_number(int64_t& member, Bounds bounds);
OptionField number(double& member, Bounds bounds);
OptionField flag(bool& member);
OptionField text(std::string& member);
OptionField list(std::vector<std::string>& member);
OptionField numbers(std::vector<double>& member, Bounds bounds);
OptionField amount(Amount& member, Bounds bounds);
OptionField choice(std::vector<std::string> names, std::function<size_t()> get, std::function<void(size_t)> set);

inline OptionField make(int64_t& member, Bounds bounds) { return whole_number(member, bounds); }
inline OptionField make(double& member, Bounds bounds) { return number(member, bounds); }
inline OptionField make(bool& member, Bounds) { return flag(member); }
inline OptionField make(std::string& member, Bounds) { return text(member); }
inline OptionField make(std::vector<std::string>& member, Bounds) { return list(member); }
inline OptionField make(std::vector<double>& member, Bounds bounds) { return numbers(member, bounds); }
inline OptionField make(Amount& member, Bounds bounds) { return amount(member, bounds); }

template <NamedEnum E>
OptionField make(E& member, Bounds) {
  constexpr auto table = option_names(E{});
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.second);
  return choice(
      std::move(names),
      [&member, table] {
        size_t i = 0;
        while (table[i].first != member) ++i;
        return i;
      },
      [&member, table](size_t i) { member = table[i].first; });
}

template <class T>
OptionField make(std::optional<T>& member, Bounds bounds) {
  static T prototype{};
  OptionField field = make(prototype, bounds);
  field.has_value = member.has_value();
  if (field.choices.empty()) field.expected += " or none";  // an optional enum has no name for "no value"
  field.restricted = true;
  field.get = [&member, bounds] { return member ? make(*member, bounds).get() : std::vector<std::string>{"none"}; };
  field.set = [&member, bounds](std::span<const std::string> texts) {
    if (texts.size() == 1 && texts[0] == "none") {
      member.reset();
      return;
    }
    T value{};
    make(value, bounds).set(texts);
    member = std::move(value);
  };
  return field;
}

template <class T>
bool fits(std::span<const std::string> texts, Bounds bounds) {
  T value{};
  try {
    make(value, bounds).set(texts);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// "HELP: NAME (its kHelp), NAME (its kHelp)", for those alternatives that have a kHelp.
template <class Variant>
std::string with_alternatives(std::string help) {
  std::string mark = ": ";
  for_each_alternative<Variant>([&]<class Options>(const Options&) {
    if constexpr (requires { Options::kHelp; }) {
      help.append(mark).append(Options::kName).append(" (").append(Options::kHelp).append(")");
      mark = ", ";
    }
  });
  return help;
}
}  // namespace option_detail

/// Visits the fields of described options. Readers set fields, writers get them; see config/.
class OptionVisitor {
 public:
  virtual ~OptionVisitor() = default;

  /// A single field.
  template <class T>
  [[gnu::noinline, gnu::cold]] void operator()(std::string_view name, T& member, std::string_view help,
                                               Bounds bounds = {}) {
    OptionField described = option_detail::make(member, bounds);
    described.fits = [bounds](std::span<const std::string> texts) { return option_detail::fits<T>(texts, bounds); };
    described.name = name;
    described.help = help;
    field(described);
  }

  /// A nested options struct, whose fields are named `name.field`.
  template <class Options>
  void section(std::string_view name, Options& options, std::string_view help) {
    enter(name, help);
    describe(options, *this);
    leave();
  }

  /// The alternatives of a variant. The field `name` (usually "type") has the kName of the current one.
  template <class... Options>
  [[gnu::noinline, gnu::cold]] void alternatives(std::string_view name, std::variant<Options...>& held,
                                                 std::string_view help) {
    using Variant = std::variant<Options...>;
    static constexpr std::array<Variant (*)(), sizeof...(Options)> kMake{+[]() -> Variant { return Options{}; }...};
    OptionAlternatives described{.choice = option_detail::choice(
                                     {std::string(Options::kName)...}, [&held] { return held.index(); },
                                     [&held](size_t i) {
                                       if (i != held.index()) held = kMake[i]();
                                     }),
                                 .index = [&held] { return held.index(); },
                                 .describe_held =
                                     [&held](OptionVisitor& visitor) {
                                       std::visit([&visitor](auto& options) { describe(options, visitor); }, held);
                                     },
                                 .describe_other =
                                     [](size_t i, OptionVisitor& visitor) {
                                       Variant other = kMake[i]();
                                       std::visit([&visitor](auto& options) { describe(options, visitor); }, other);
                                     }};
    described.choice.name = name;
    described.choice.help = option_detail::with_alternatives<Variant>(std::string(help));
    choose(described);
  }

 protected:
  virtual void field(const OptionField& field) = 0;
  virtual void enter(std::string_view section, std::string_view help) = 0;
  virtual void leave() = 0;
  /// By default visits the choice as a field, then the fields of the current alternative.
  virtual void choose(const OptionAlternatives& alternatives);
};

}  // namespace heed
