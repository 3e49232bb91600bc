// A small parallel text of English and German for tests.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "heed/core/random.h"

namespace heed::curation {

using TextPairs = std::vector<std::pair<std::string, std::string>>;

/// Sentences of a small grammar, all different as far as their number allows.
inline TextPairs made_text(int64_t pairs) {
  using Words = std::vector<std::pair<const char*, const char*>>;
  static const Words nouns{{"man", "Mann"},       {"dog", "Hund"},      {"bird", "Vogel"},  {"tree", "Baum"},
                           {"teacher", "Lehrer"}, {"table", "Tisch"},   {"rabbit", "Hase"}, {"river", "Fluss"},
                           {"mountain", "Berg"},  {"garden", "Garten"}, {"train", "Zug"},   {"ship", "Dampfer"}};
  static const Words adjectives{{"old", "alte"},         {"young", "junge"},    {"red", "rote"},    {"small", "kleine"},
                                {"beautiful", "schöne"}, {"heavy", "schwere"},  {"quiet", "leise"}, {"white", "weiße"},
                                {"angry", "wütende"},    {"hungry", "hungrige"}};
  static const Words verbs{{"sees", "sieht"},       {"finds", "findet"},    {"carries", "trägt"},
                           {"follows", "verfolgt"}, {"remembers", "kennt"}, {"paints", "malt"}};
  static const Words places{{"in the morning", "am Morgen"},
                            {"with great pleasure", "mit großem Vergnügen"},
                            {"without saying anything", "ohne etwas zu sagen"},
                            {"behind the house", "hinter dem Haus"},
                            {"every single day", "jeden einzelnen Tag"},
                            {"because of the weather", "wegen des Wetters"}};
  RandomStream random(7, Purpose::Test);
  const auto any = [&](const Words& words) { return words[random.below(words.size())]; };
  TextPairs text;
  for (int64_t i = 0; i < pairs; ++i) {
    const auto a = any(adjectives), n = any(nouns), v = any(verbs), b = any(adjectives), m = any(nouns),
               p = any(places);
    text.emplace_back(std::string("The ") + a.first + ' ' + n.first + ' ' + v.first + " the " + b.first + ' ' +
                          m.first + ' ' + p.first + '.',
                      std::string("Der ") + a.second + ' ' + n.second + ' ' + v.second + " den " + b.second + "n " +
                          m.second + ' ' + p.second + '.');
  }
  return text;
}

}  // namespace heed::curation
