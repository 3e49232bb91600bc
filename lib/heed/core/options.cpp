#include "heed/core/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace heed {

void OptionVisitor::choose(const OptionAlternatives& alternatives) {
  field(alternatives.choice);
  alternatives.describe_held(*this);
}

namespace option_detail {
namespace {

const std::string& only(std::span<const std::string> texts) {
  if (texts.size() != 1) throw std::invalid_argument("");
  return texts[0];
}

template <class T>
T parse_number(const std::string& text, Bounds bounds) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) throw std::invalid_argument("");
  const auto real = static_cast<double>(value);
  if (!std::isfinite(real) || !bounds.contain(real)) throw std::invalid_argument("");
  return value;
}

bool limits(Bounds bounds) { return std::isfinite(bounds.lowest) || std::isfinite(bounds.highest); }

std::string with_bounds(std::string_view kind, Bounds bounds) {
  const bool low = std::isfinite(bounds.lowest);
  const bool high = std::isfinite(bounds.highest);
  if (low && high) return fmt::format("{} from {} to {}", kind, bounds.lowest, bounds.highest);
  if (low && bounds.open) return fmt::format("{} above {}", kind, bounds.lowest);
  if (low) return fmt::format("{} of at least {}", kind, bounds.lowest);
  if (high) return fmt::format("{} of at most {}", kind, bounds.highest);
  return std::string(kind);
}

}  // namespace

OptionField whole_number(int64_t& member, Bounds bounds) {
  OptionField field;
  field.kind = ValueKind::WholeNumber;
  field.expected = with_bounds("a whole number", bounds);
  field.restricted = limits(bounds);
  field.get = [&member] { return std::vector{fmt::format("{}", member)}; };
  field.set = [&member, bounds](std::span<const std::string> texts) {
    member = parse_number<int64_t>(only(texts), bounds);
  };
  return field;
}

OptionField number(double& member, Bounds bounds) {
  OptionField field;
  field.kind = ValueKind::Number;
  field.expected = with_bounds("a number", bounds);
  field.restricted = limits(bounds);
  field.get = [&member] { return std::vector{fmt::format("{}", member)}; };
  field.set = [&member, bounds](std::span<const std::string> texts) {
    member = parse_number<double>(only(texts), bounds);
  };
  return field;
}

OptionField flag(bool& member) {
  OptionField field;
  field.kind = ValueKind::Flag;
  field.expected = "true or false";
  field.get = [&member] { return std::vector<std::string>{member ? "true" : "false"}; };
  field.set = [&member](std::span<const std::string> texts) {
    const std::string& text = only(texts);
    if (text != "true" && text != "false") throw std::invalid_argument("");
    member = text == "true";
  };
  return field;
}

OptionField text(std::string& member) {
  OptionField field;
  field.kind = ValueKind::Text;
  field.expected = "a text";
  field.get = [&member] { return std::vector{member}; };
  field.set = [&member](std::span<const std::string> texts) { member = only(texts); };
  return field;
}

OptionField list(std::vector<std::string>& member) {
  OptionField field;
  field.kind = ValueKind::List;
  field.expected = "a list of texts";
  field.get = [&member] { return member; };
  field.set = [&member](std::span<const std::string> texts) { member.assign(texts.begin(), texts.end()); };
  return field;
}

OptionField numbers(std::vector<double>& member, Bounds bounds) {
  OptionField field;
  field.kind = ValueKind::List;
  field.expected = "a list: each " + with_bounds("a number", bounds);
  field.restricted = true;
  field.get = [&member] {
    std::vector<std::string> texts;
    for (const double value : member) texts.push_back(fmt::format("{}", value));
    return texts;
  };
  field.set = [&member, bounds](std::span<const std::string> texts) {
    std::vector<double> values;
    for (const std::string& text : texts) values.push_back(parse_number<double>(text, bounds));
    member = std::move(values);
  };
  return field;
}

OptionField amount(Amount& member, Bounds bounds) {
  OptionField field;
  field.kind = ValueKind::Text;
  field.expected = with_bounds("an amount such as 4000 (steps), 50Mt (target tokens) or 10e (epochs)", bounds);
  field.restricted = true;
  field.get = [&member] { return std::vector{format_amount(member)}; };
  field.set = [&member, bounds](std::span<const std::string> texts) {
    const Amount parsed = parse_amount(only(texts));
    if (!bounds.contain(parsed.value)) throw std::invalid_argument("");
    member = parsed;
  };
  return field;
}

OptionField choice(std::vector<std::string> names, std::function<size_t()> get, std::function<void(size_t)> set) {
  OptionField field;
  field.kind = ValueKind::Text;
  field.choices = std::move(names);
  field.expected = fmt::format("one of {}", fmt::join(field.choices, ", "));
  field.restricted = true;
  field.fits = [names = field.choices](std::span<const std::string> texts) {
    return texts.size() == 1 && std::ranges::find(names, texts[0]) != names.end();
  };
  field.get = [names = field.choices, get = std::move(get)] { return std::vector{names[get()]}; };
  field.set = [names = field.choices, set = std::move(set)](std::span<const std::string> texts) {
    const std::string& wanted = only(texts);
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == wanted) return set(i);
    }
    throw std::invalid_argument("");
  };
  return field;
}

}  // namespace option_detail
}  // namespace heed
