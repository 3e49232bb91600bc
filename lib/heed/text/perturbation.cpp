#include "heed/text/perturbation.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/core/parsed_number.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/spacing.h"
#include "heed/core/text/unicode.h"
#include "heed/text/protected_text.h"

namespace heed::text {
namespace {

UChar32 code_of(char32_t code) { return static_cast<UChar32>(code); }
bool is_letter(char32_t code) { return u_isalpha(code_of(code)) != 0; }

/// The text with the parts between protected texts changed.
std::string changed_outside(std::string_view text, const std::function<std::string(std::string_view part)>& change) {
  static const ProtectedText rules({ProtectedKind::Url, ProtectedKind::Mail, ProtectedKind::Placeholder,
                                    ProtectedKind::Reference, ProtectedKind::Tag});
  std::string changed;
  size_t at = 0;
  for (const ProtectedMatch& match : rules.find(text)) {
    if (match.begin > at) changed += change(text.substr(at, match.begin - at));
    changed += text.substr(match.begin, match.end - match.begin);
    at = match.end;
  }
  if (at < text.size()) changed += change(text.substr(at));
  return changed;
}

std::string upper(std::string_view text) {
  std::string result;
  icu::StringByteSink<std::string> sink(&result);
  UErrorCode status = U_ZERO_ERROR;
  icu::CaseMap::utf8ToUpper("", 0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())), sink, nullptr,
                            status);
  if (U_FAILURE(status) != 0) throw Error(fmt::format("ICU cannot map case: {}", u_errorName(status)));
  return result;
}

/// The first letter of each word as in titles.
std::string titled(std::string_view text) {
  std::u32string codes = to_code_points(text);
  bool in_word = false;
  for (char32_t& code : codes) {
    if (is_letter(code) && !in_word) code = static_cast<char32_t>(u_totitle(code_of(code)));
    in_word = u_isalnum(code_of(code)) != 0 || (in_word && !is_space(code));
  }
  return to_utf8(codes);
}

std::string without_accents(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* form = icu::Normalizer2::getNFDInstance(status);
  if (U_FAILURE(status) != 0) throw Error(fmt::format("ICU cannot decompose text: {}", u_errorName(status)));
  std::u32string plain;
  bool after_letter = false;  // a letter of a script whose accents are left out
  for (const char32_t code : to_code_points(text)) {
    if (after_letter && u_charType(code_of(code)) == U_NON_SPACING_MARK) continue;
    const UScriptCode script = uscript_getScript(code_of(code), &status);
    after_letter = script == USCRIPT_LATIN || script == USCRIPT_GREEK;
    icu::UnicodeString parts;
    const bool is_accented = after_letter && form->getDecomposition(code_of(code), parts) != 0;
    plain += is_accented ? static_cast<char32_t>(parts.char32At(0)) : code;
  }
  return to_utf8(plain);
}

/// The keys around a key.
std::string_view neighbors(char32_t letter) {
  constexpr auto kNeighbors = std::to_array<std::string_view>(
      {"qwsz",   "vghn",  "xdfv", "serfcx", "wsdr", "drtgvc", "ftyhbv", "gyujnb", "ujko",
       "huikmn", "jiolm", "kop",  "njk",    "bhjm", "iklp",   "ol",     "wa",     "edft",
       "awedxz", "rfgy",  "yhji", "cfgb",   "qase", "zsdc",   "tghu",   "asx"});
  return letter >= 'a' && letter <= 'z' ? kNeighbors[letter - 'a'] : std::string_view();
}

/// A typing error in a word of at least two letters.
void misspell(std::u32string& word, RandomStream& random) {
  const auto at = static_cast<size_t>(random.below(word.size() - 1));
  const bool is_upper = u_isupper(code_of(word[at])) != 0;
  const std::string_view keys = neighbors(static_cast<char32_t>(u_tolower(code_of(word[at]))));
  const uint64_t how = random.below(5);
  if (how <= 1 && !keys.empty()) {
    const auto key = static_cast<char32_t>(static_cast<unsigned char>(keys[random.below(keys.size())]));
    word[at] = is_upper ? static_cast<char32_t>(u_toupper(code_of(key))) : key;
  } else if (how <= 2) {
    std::swap(word[at], word[at + 1]);
  } else if (how == 3) {
    word.erase(at, 1);
  } else {
    word.insert(at, 1, word[at]);
  }
}

/// Misspells words of at least four letters.
std::string with_typos(std::string_view text, RandomStream& random) {
  constexpr double kShare = 0.1;
  constexpr size_t kShortest = 4;
  std::u32string codes = to_code_points(text);
  std::vector<std::pair<size_t, size_t>> words;  // begin and end
  for (size_t begin = 0; begin < codes.size();) {
    size_t end = begin;
    while (end < codes.size() && is_letter(codes[end])) ++end;
    if (end - begin >= kShortest) words.emplace_back(begin, end);
    begin = std::max(end, begin + 1);
  }
  if (words.empty()) return std::string(text);
  const size_t sure = random.below(words.size());
  std::u32string changed;
  size_t at = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    const auto [begin, end] = words[i];
    const bool is_chosen = random.uniform() < kShare || i == sure;
    changed += codes.substr(at, begin - at);
    std::u32string word = codes.substr(begin, end - begin);
    if (is_chosen) misspell(word, random);
    changed += word;
    at = end;
  }
  return to_utf8(changed + codes.substr(at));
}

bool ends_sentences(char32_t code) {
  return std::u32string_view(U".!?…。！？।؟").find(code) != std::u32string_view::npos;
}

/// The bytes of the text before the punctuation at its end.
size_t before_punctuation(std::string_view text) {
  size_t begin = text.size();
  const auto all = characters(text);
  for (size_t i = all.size(); i > 0 && ends_sentences(to_code_points(all[i - 1])[0]); --i) begin -= all[i - 1].size();
  return begin;
}

bool change_punctuation(PairText& pair, const std::function<void(std::string& text, size_t begin)>& change) {
  const size_t source = before_punctuation(pair.source), target = before_punctuation(pair.target);
  const bool has_target = !pair.target.empty();
  if (source == 0 || source == pair.source.size()) return false;
  if (has_target && (target == 0 || target == pair.target.size())) return false;
  change(pair.source, source);
  if (has_target) change(pair.target, target);
  return true;
}

bool double_punctuation(PairText& pair, RandomStream& random) {
  const uint64_t times = 1 + random.below(3);
  return change_punctuation(pair, [&](std::string& text, size_t) {
    const std::string last(characters(text).back());
    for (uint64_t i = 0; i < times; ++i) text += last;
  });
}

std::string letters(uint64_t shortest, uint64_t longest, RandomStream& random) {
  std::string text;
  for (uint64_t count = shortest + random.below(longest - shortest + 1); count > 0; --count)
    text += static_cast<char>('a' + random.below(26));
  return text;
}

std::string made_url(RandomStream& random) {
  constexpr auto kEnds = std::to_array<std::string_view>({"com", "org", "net", "de", "fr", "io"});
  std::string url = random.below(2) == 0 ? "https://www." : "https://";
  url.append(letters(4, 10, random)).append(1, '.').append(kEnds[random.below(kEnds.size())]);
  if (random.below(4) > 0) url.append(1, '/').append(letters(3, 8, random));
  if (random.below(2) > 0) url.append(1, '/').append(std::to_string(random.below(10000)));
  return url;
}

std::string made_emoji(RandomStream& random) {
  constexpr auto kEmoji = std::to_array<std::string_view>({"😀", "😂", "😊", "😍", "👍", "🎉", "🙏", "❤️",  "🔥", "😢",
                                                           "🤔", "😅", "✨", "👏", "😎", "💪", "🚀", "😡", "🙂", "🐱"});
  return std::string(kEmoji[random.below(kEmoji.size())]);
}

/// Adds the same text to both sides, more often at the end than at the start.
void insert(PairText& pair, const std::string& text, RandomStream& random) {
  constexpr uint64_t kOneAtStart = 4;
  const bool at_start = random.below(kOneAtStart) == 0;
  for (std::string* side : {&pair.source, &pair.target}) {
    if (!side->empty()) *side = at_start ? text + " " + *side : *side + " " + text;
  }
}

void join(PairText& pair, const PairText& next) {
  if (next.source.empty() || pair.target.empty() != next.target.empty()) return;
  pair.source += (blank_between(pair.source, next.source) ? " " : "") + next.source;
  pair.target += (blank_between(pair.target, next.target) ? " " : "") + next.target;
}

}  // namespace

bool perturb(Perturbation kind, PairText& pair, const std::function<PairText()>& next, RandomStream& random) {
  const std::string before = pair.source;
  switch (kind) {
    case Perturbation::Join:
      join(pair, next());
      break;
    case Perturbation::UpperCase:
    case Perturbation::TitleCase:
      for (std::string* side : {&pair.source, &pair.target})
        *side = changed_outside(*side, kind == Perturbation::UpperCase ? upper : titled);
      break;
    case Perturbation::NoPunctuation:
      change_punctuation(pair, [](std::string& text, size_t begin) { text.resize(begin); });
      break;
    case Perturbation::DoublePunctuation:
      double_punctuation(pair, random);
      break;
    case Perturbation::Typos:
      pair.source = changed_outside(pair.source, [&](std::string_view part) { return with_typos(part, random); });
      break;
    case Perturbation::NoAccents:
      pair.source = changed_outside(pair.source, without_accents);
      break;
    case Perturbation::Emoji:
      insert(pair, made_emoji(random), random);
      break;
    case Perturbation::Url:
      insert(pair, made_url(random), random);
      break;
  }
  return pair.source != before;
}

std::vector<PerturbationRate> perturbation_rates(std::span<const std::string> entries, const std::string& option,
                                                 std::optional<double> usual) {
  std::vector<PerturbationRate> rates;
  for (const std::string& entry : entries) {
    const size_t sign = entry.find('=');
    const auto rate =
        sign == std::string::npos ? usual : parsed_number<double>(std::string_view(entry).substr(sign + 1));
    if (!rate || !(*rate > 0) || *rate > 1) {
      throw ConfigError(option, fmt::format("must have entries {} with a rate above 0 and at most 1, but has `{}`",
                                            usual ? "KIND or KIND=RATE" : "KIND=RATE", entry));
    }
    const std::string name = entry.substr(0, sign);
    const auto kind = enum_value<Perturbation>(name);
    if (!kind) {
      std::vector<std::string> names;
      for (const auto& known : option_names(Perturbation{})) names.emplace_back(known.second);
      throw ConfigError(option, fmt::format("has `{}`, but must name {}", name, listed(names, "or")));
    }
    if (std::ranges::find(rates, *kind, &PerturbationRate::kind) != rates.end()) {
      throw ConfigError(option, fmt::format("names {} twice", name));
    }
    rates.push_back({.kind = *kind, .rate = *rate});
  }
  std::ranges::sort(rates, {}, &PerturbationRate::kind);
  return rates;
}

std::optional<PairText> perturbed(std::span<const PerturbationRate> rates, const std::function<PairText()>& text,
                                  const std::function<PairText()>& next, RandomStream& random) {
  std::optional<PairText> pair;
  bool is_changed = false;
  for (const auto& [kind, rate] : rates) {
    if (random.uniform() >= rate) continue;
    if (!pair) pair = text();
    is_changed |= perturb(kind, *pair, next, random);
  }
  return is_changed ? std::move(pair) : std::nullopt;
}

}  // namespace heed::text
