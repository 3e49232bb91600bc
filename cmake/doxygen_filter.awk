# Gives Doxygen a header as it is meant: the first comment, in plain //, documents the file (@file stands in the place of
# #pragma once, the line after it, so that lines keep their numbers), and a backslash in a comment is a backslash.
NR == 1 { first = /^\/\// }
first && /^\/\// { $0 = "///" substr($0, 3) }
first && !/^\/\// { if (/^#pragma once/) $0 = "/// @file"; first = 0 }
(comment = index($0, "///")) > 0 {
  text = substr($0, comment)
  gsub(/\\/, "&&", text)
  $0 = substr($0, 1, comment - 1) text
}
{ print }
