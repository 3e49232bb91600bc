// Word documents.
#include <gtest/gtest.h>

#include <zlib.h>

#include "documents/documents.h"
#include "heed/core/error.h"
#include "support/message_of.h"

namespace heed::documents {
namespace {

std::string little(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

/// A zip archive of files that are not compressed.
std::string archive(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string all, directory;
  for (const auto& [name, content] : files) {
    const auto crc =
        crc32(0, reinterpret_cast<const unsigned char*>(content.data()), static_cast<unsigned>(content.size()));
    const std::string header = little(0, 2) + little(0, 2) + little(0, 4) + little(crc, 4) + little(content.size(), 4) +
                               little(content.size(), 4) + little(name.size(), 2) + little(0, 2);
    directory += little(0x02014b50, 4) + little(20, 2) + little(20, 2) + header + little(0, 2) + little(0, 2) +
                 little(0, 2) + little(0, 4) + little(all.size(), 4) + name;
    all += little(0x04034b50, 4) + little(20, 2) + header + name + content;
  }
  return all + directory + little(0x06054b50, 4) + little(0, 4) + little(files.size(), 2) + little(files.size(), 2) +
         little(directory.size(), 4) + little(all.size(), 4) + little(0, 2);
}

std::string word(const std::string& paragraph) {
  return archive({{"a.bin", "\1\2\3"},
                  {"word/document.xml", "<w:document><w:body><w:p>" + paragraph + "</w:p></w:body></w:document>"}});
}
std::string text_of(const std::string& docx) {
  // The replaced part is compressed: it is read as a document again.
  const auto document = read_document(DocumentFormat::Docx, docx, "file");
  return document->segments().empty() ? "" : document->segments()[0].text;
}

const std::string kParagraph =
    "<w:r><w:t xml:space=\"preserve\">one </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>two</w:t></w:r><w:hyperlink "
    "r:id=\"x\"><w:r><w:t xml:space=\"preserve\"> three</w:t></w:r></w:hyperlink>";

TEST(Docx, ParagraphsAreSegments) {
  const auto document = read_document(DocumentFormat::Docx, word(kParagraph), "file");
  ASSERT_EQ(document->segments().size(), 1U);
  const Segment& segment = document->segments()[0];
  EXPECT_EQ(segment.text, "one two three");
  ASSERT_EQ(segment.marks.size(), 2U) << "the bold run and the link";
  EXPECT_EQ(segment.markup.substr(segment.marks[0].open.begin, segment.marks[0].open.size()),
            "</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>");
}

TEST(Docx, CopiesChangeNoByte) {
  const std::string bytes = word(kParagraph);
  EXPECT_EQ(translated(DocumentFormat::Docx, bytes, copied), bytes);
}

TEST(Docx, TheOtherFilesOfTheArchiveStay) {
  const std::string out = translated(DocumentFormat::Docx, word(kParagraph), reversed);
  EXPECT_EQ(text_of(out), "THREE TWO ONE");
  EXPECT_NE(out.find("a.bin"), out.npos);
  EXPECT_NE(out.find("\1\2\3"), out.npos);
}

TEST(Docx, AParagraphThatIsOneLinkStaysOne) {
  const std::string link =
      "<w:hyperlink r:id=\"x\"><w:r><w:tab/><w:t>See https://example.org now</w:t></w:r></w:hyperlink>";
  const std::string out = translated(DocumentFormat::Docx, word(link), shouted);
  const auto document = read_document(DocumentFormat::Docx, out, "file");
  ASSERT_EQ(document->segments().size(), 1U);
  EXPECT_EQ(document->segments()[0].text, "SEE https://example.org NOW");
  EXPECT_EQ(translated(DocumentFormat::Docx, word(link), copied), word(link)) << "the link and the tab are there";
}

TEST(Docx, RunsThatSplitAWordInALinkAreOneWord) {
  EXPECT_EQ(text_of(word("<w:hyperlink><w:r><w:t>Hel</w:t></w:r><w:r><w:t>lo</w:t></w:r></w:hyperlink>")), "Hello");
}

TEST(Docx, FieldsAreNotTranslated) {
  const std::string field =
      "<w:r><w:t xml:space=\"preserve\">page </w:t></w:r><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>"
      "PAGE</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>seven</w:t></w:r><w:r><w:fldChar "
      "w:fldCharType=\"end\"/></w:r><w:r><w:t> of ten</w:t></w:r>";
  EXPECT_EQ(text_of(word(field)), "page of ten");
}

TEST(Docx, BothCopiesOfATextBoxInAParagraphAreTranslated) {
  const std::string box = "<w:txbxContent><w:p><w:r><w:t>in the box</w:t></w:r></w:p></w:txbxContent>";
  const std::string paragraph =
      "<w:r><w:t xml:space=\"preserve\">one </w:t></w:r><w:r><mc:AlternateContent><mc:Choice Requires=\"wps\">" + box +
      "</mc:Choice><mc:Fallback><w:pict>" + box +
      "</w:pict></mc:Fallback></mc:AlternateContent></w:r><w:r><w:t>two</w:t></w:r>";
  const auto texts = [](const std::string& docx) {
    std::vector<std::string> found;
    const auto document = read_document(DocumentFormat::Docx, docx, "file");
    for (const Segment& segment : document->segments()) found.push_back(segment.text);
    return found;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts(word(paragraph)), (Texts{"in the box", "in the box", "one two"}));
  EXPECT_EQ(texts(translated(DocumentFormat::Docx, word(paragraph), shouted)),
            (Texts{"IN THE BOX", "IN THE BOX", "ONE TWO"}));
  EXPECT_EQ(translated(DocumentFormat::Docx, word(paragraph), copied), word(paragraph));
}

TEST(Docx, PartsAreUtf8) {
  EXPECT_EQ(testing::message_of<InputError>(
                [] { read_document(DocumentFormat::Docx, word("<w:r><w:t>a\xff</w:t></w:r>"), "file"); }),
            "file:word/document.xml: is not text in UTF-8");
}

TEST(Docx, OtherAndCutFilesAreErrors) {
  EXPECT_THROW(read_document(DocumentFormat::Docx, "text", "file"), InputError);
  EXPECT_THROW(read_document(DocumentFormat::Docx, archive({{"x", "y"}}), "file"), InputError);
  const std::string whole = word(kParagraph);
  EXPECT_THROW(read_document(DocumentFormat::Docx, whole.substr(0, whole.size() / 2), "file"), InputError);
  std::string other_damaged = whole;
  other_damaged[0] = 'X';  // the header of a.bin
  EXPECT_THROW(read_document(DocumentFormat::Docx, other_damaged, "file"), InputError);
}

}  // namespace
}  // namespace heed::documents
