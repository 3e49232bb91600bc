#include "heed/core/exception_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "heed/core/error.h"

namespace heed {
namespace {

/// The sentence of what `action` throws.
template <class Action>
std::string sentence_of_thrown(const Action& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return sentence_of(error);
  }
  return "nothing was thrown";
}

TEST(ExceptionText, ErrorsSayTheirSentence) {
  EXPECT_EQ(sentence_of(InputError("a.en", 3, "is\nodd")), "a.en:3: is\nodd");
}

TEST(ExceptionText, NoLibraryIsNamed) {
  EXPECT_EQ(sentence_of_thrown([] { return std::filesystem::file_size("/nowhere/x"); }),
            "/nowhere/x: cannot access: No such file or directory");
  EXPECT_EQ(sentence_of_thrown([] { std::filesystem::rename("/nowhere/x", "/nowhere/y"); }),
            "/nowhere/x: cannot access: No such file or directory");
  EXPECT_EQ(sentence_of_thrown([] { nlohmann::json::object().at("x"); }), "key 'x' not found");
  EXPECT_EQ(sentence_of_thrown([] { nlohmann::json("a").get<int>(); }), "type must be number, but is string");
  EXPECT_EQ(sentence_of(std::bad_alloc()), "out of memory");
}

TEST(ExceptionText, OfOthersTheFirstLineCounts) {
  EXPECT_EQ(sentence_of(std::runtime_error("no such device\nframe #0: f()")), "no such device");
}

}  // namespace
}  // namespace heed
