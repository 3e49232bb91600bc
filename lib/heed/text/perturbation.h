// Changes text as people do who write it: case, punctuation, typing errors, emoji. Training with some changed pairs
// makes a model robust (data.augment), and test text with changes shows how robust it is (heed data perturb).
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heed/core/random.h"

namespace heed::text {

/// URLs, mail addresses, placeholders, references and tags (protected_text.h) stay as they are, whatever changes around
/// them.
enum class Perturbation {
  Join,               ///< the next pair follows on the same line
  UpperCase,          ///< ALL LETTERS
  TitleCase,          ///< The First Letter Of Each Word
  NoPunctuation,      ///< without the punctuation at the end of both sides
  DoublePunctuation,  ///< with more of it: "Hello!!!"
  Typos,              ///< one word in ten of the source, at least one: a key next to the right one, letters swapped,
                      ///< left out or doubled
  NoAccents,          ///< the source without accents of Latin and Greek letters
  Emoji,              ///< one at the end or start of both sides
  Url,                ///< one at the end or start of both sides
};
constexpr auto option_names(Perturbation) {
  return std::array{std::pair{Perturbation::Join, "join"},
                    std::pair{Perturbation::UpperCase, "upper-case"},
                    std::pair{Perturbation::TitleCase, "title-case"},
                    std::pair{Perturbation::NoPunctuation, "no-punctuation"},
                    std::pair{Perturbation::DoublePunctuation, "double-punctuation"},
                    std::pair{Perturbation::Typos, "typos"},
                    std::pair{Perturbation::NoAccents, "no-accents"},
                    std::pair{Perturbation::Emoji, "emoji"},
                    std::pair{Perturbation::Url, "url"}};
}

/// The lines of a pair.
struct PairText {
  std::string source;
  std::string target;
};

/// Changes both sides of a pair alike. Without a target, an empty text, only the source changes. next: the pair that
/// Join adds. Returns whether the source changed; some texts have nothing to change. All text is well-formed UTF-8. The
/// result is a function of the texts and of the random stream.
bool perturb(Perturbation kind, PairText& pair, const std::function<PairText()>& next, RandomStream& random);

/// A kind and the probability that a pair is changed in this way, above 0 and at most 1.
struct PerturbationRate {
  Perturbation kind = Perturbation::Join;
  double rate = 0;
};
/// Reads KIND=RATE. usual: the rate of an entry KIND; absent: an entry needs a rate. option: for messages. Throws
/// ConfigError for another form, and for a kind that comes twice. The result is in the order of the kinds.
std::vector<PerturbationRate> perturbation_rates(std::span<const std::string> entries, const std::string& option,
                                                 std::optional<double> usual = std::nullopt);
/// The text of a pair after changes of each kind with its rate; absent if it stays as it is. text, next: called if they
/// are needed.
std::optional<PairText> perturbed(std::span<const PerturbationRate> rates, const std::function<PairText()>& text,
                                  const std::function<PairText()>& next, RandomStream& random);

}  // namespace heed::text
