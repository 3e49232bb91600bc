# Gives Doxygen a header as it is meant: the first comment, in plain //, documents the file (@file stands in the place of
# #pragma once, the line after it, so that lines keep their numbers) and its indented lines are code; a backslash in a
# comment is a backslash.
# In lib/README.md, links to documents that Doxygen does not read are plain text.
NR == 1 { first = /^\/\// }
first && /^\/\// { $0 = "///" substr($0, 3); sub(/^\/\/\/   /, "///     ") }
first && !/^\/\// { if (/^#pragma once/) $0 = "/// @file"; first = 0 }
(comment = index($0, "///")) > 0 {
  text = substr($0, comment)
  gsub(/\\/, "&&", text)
  $0 = substr($0, 1, comment - 1) text
}
FILENAME ~ /\.md$/ { gsub(/\]\(\.\.\/[^)]*\)/, "]") }
{ print }
