#include "heed/core/text/python_notation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

namespace heed {
namespace {

TEST(PythonNotation, ReadsWholeNumbersAsInt) {
  EXPECT_EQ(parse_python_int(" 1_000\n"), 1000);
  EXPECT_EQ(parse_python_int("+7"), 7);
  EXPECT_EQ(parse_python_int("-07"), -7);
  EXPECT_EQ(parse_python_int("\u0664_\u0968"), 42);  // Arabic-Indic 4, Devanagari 2
  for (const char* wrong :
       {"", " ", "1.0", "1e3", "_1", "1_", "1__0", "+-1", "--1", "+ 1", "0x10", "99999999999999999999"}) {
    EXPECT_FALSE(parse_python_int(wrong)) << wrong;
  }
}

TEST(PythonNotation, ReadsNumbersAsFloat) {
  EXPECT_EQ(parse_python_float("1_0.5"), 10.5);
  EXPECT_EQ(parse_python_float(" .5 "), 0.5);
  EXPECT_EQ(parse_python_float("1."), 1.0);
  EXPECT_EQ(parse_python_float("1e1_0"), 1e10);
  EXPECT_EQ(parse_python_float("-Infinity"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_python_float("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_python_float("1e-400"), 0.0);
  EXPECT_TRUE(std::isnan(parse_python_float("nan").value()));
  for (const char* wrong : {"", ".", "e5", "1_.5", "infinit", "nan(1)", "0x10", "1,5"}) {
    EXPECT_FALSE(parse_python_float(wrong)) << wrong;
  }
}

TEST(PythonNotation, WritesFloatsAsRepr) {
  // clang-format off
  const std::pair<double, const char*> cases[] = {
      {0.0, "0.0"},       {-0.0, "-0.0"},     {1.0, "1.0"},         {100.0, "100.0"},   {0.1, "0.1"},
      {26.5958, "26.5958"}, {0.0001, "0.0001"}, {0.00012, "0.00012"}, {0.00001, "1e-05"}, {1.25e-7, "1.25e-07"},
      {1e15, "1000000000000000.0"}, {1e16, "1e+16"}, {123456789012345680.0, "1.2345678901234568e+17"},
      {5e-324, "5e-324"}, {1.5e300, "1.5e+300"}, {1.0 / 3, "0.3333333333333333"}, {-2.5, "-2.5"}};
  // clang-format on
  for (const auto& [value, text] : cases) EXPECT_EQ(python_repr(value), text);
  EXPECT_EQ(python_repr(std::nan("")), "nan");
  EXPECT_EQ(python_repr(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(PythonNotation, WritesStringsAsRepr) {
  EXPECT_EQ(python_repr("a b"), "'a b'");
  EXPECT_EQ(python_repr("it's"), "\"it's\"");
  EXPECT_EQ(python_repr("'\"\\\n"), "'\\'\"\\\\\\n'");
}

TEST(PythonNotation, WritesJsonAsDumps) {
  EXPECT_EQ(python_json("\x7f\x1f\n\"\\/é😀", JsonCharacters::Ascii), R"("\u007f\u001f\n\"\\/\u00e9\ud83d\ude00")");
  EXPECT_EQ(python_json("\x7f\x1fμ é😀", JsonCharacters::Unicode), "\"\x7f\\u001fμ é😀\"");
  EXPECT_EQ(python_json(26.0), "26.0");
  EXPECT_EQ(python_json(std::nan("")), "NaN");
  EXPECT_EQ(python_json(-std::numeric_limits<double>::infinity()), "-Infinity");
}

}  // namespace
}  // namespace heed
