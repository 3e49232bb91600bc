#include "heed/core/files/line_reader.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <zlib.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed {
namespace {

using testing::message_of;
using testing::TemporaryDirectory;
using Lines = std::vector<std::string>;

class LineReaderTest : public ::testing::Test {
 protected:
  /// A file with this content.
  std::string file(const std::string& content) const {
    const std::string path = directory_.file("text");
    write_file(path, content);
    return path;
  }
  /// The same content gzip-compressed.
  std::string gzip(const std::string& content) const {
    const std::string path = directory_.file("compressed");
    const gzFile out = gzopen(path.c_str(), "wb");
    gzwrite(out, content.data(), static_cast<unsigned>(content.size()));
    gzclose(out);
    return path;
  }
  static std::string failure(const std::string& path) {
    return message_of<InputError>([&] { read_lines(path); });
  }

  TemporaryDirectory directory_;
};

/// Standard input comes from a file while this lives.
class StandardInput {
 public:
  explicit StandardInput(const std::string& path) : before_(dup(STDIN_FILENO)) {
    const int descriptor = open(path.c_str(), O_RDONLY);
    dup2(descriptor, STDIN_FILENO);
    close(descriptor);
  }
  ~StandardInput() {
    dup2(before_, STDIN_FILENO);
    close(before_);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int before_;
};

TEST_F(LineReaderTest, WithEndsNothingIsLost) {
  const std::string content = "one\ntwo\r\n\n\rthree\r \r\nlast";
  LineReader reader(file(content));
  Lines lines;
  for (std::string line; reader.next_with_end(line);) lines.push_back(line);
  EXPECT_EQ(lines, (Lines{"one\n", "two\r\n", "\n", "\rthree\r \r\n", "last"}));
}

TEST_F(LineReaderTest, KeptBytesAreNotChecked) {
  EXPECT_EQ(read_lines(file("\xff\xc3\n\xa9\n"), InvalidText::Keep), (Lines{"\xff\xc3", "\xa9"}));
}

TEST_F(LineReaderTest, OnlyLineFeedEndsALine) {
  EXPECT_EQ(read_lines(file("a\nb\u2028c\u0085d\x0b\x0c\x1c e\n\nlast")),
            (Lines{"a", "b\u2028c\u0085d\x0b\x0c\x1c e", "", "last"}));
  EXPECT_EQ(read_lines(file("")), Lines{});
  EXPECT_EQ(read_lines(file("\n")), Lines{""});
  EXPECT_EQ(read_lines(file("a\n")), Lines{"a"});
}

TEST_F(LineReaderTest, OneCarriageReturnBeforeTheEndGoes) {
  EXPECT_EQ(read_lines(file("a\r\nb\rc\r\n\r\nd\r\r\ne\r")), (Lines{"a", "b\rc", "", "d\r", "e"}));
}

TEST_F(LineReaderTest, KeepsNulAndCountsLines) {
  LineReader reader(file(std::string("a\0b\nc", 5)));
  std::string line;
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line, std::string("a\0b", 3));
  EXPECT_EQ(reader.line_number(), 1);
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(reader.line_number(), 2);
  EXPECT_FALSE(reader.next(line));
  EXPECT_FALSE(reader.next(line));
}

TEST_F(LineReaderTest, ReadsCompressedFilesWhateverTheirName) {
  std::string content;
  for (int i = 0; i < 50'000; ++i) content += "line " + std::to_string(i) + "\n";
  EXPECT_EQ(read_lines(gzip(content)), read_lines(file(content)));
  EXPECT_EQ(read_lines(gzip("")), Lines{});
}

TEST_F(LineReaderTest, ReadsJoinedCompressedFiles) {
  const std::string first = read_file(gzip("a\nb"));
  const std::string second = read_file(gzip("c\nd\n"));
  EXPECT_EQ(read_lines(file(first + second)), (Lines{"a", "bc", "d"}));
}

TEST_F(LineReaderTest, WhatFollowsCompressedDataIsNotLost) {
  const std::string packed = read_file(gzip("a\nb\n"));
  EXPECT_EQ(read_lines(file(packed + std::string(1000, '\0'))), (Lines{"a", "b"})) << "tapes are filled with zeros";
  for (const std::string& rest : {std::string("c\nd\n"), std::string(100'000, 'c')}) {
    const std::string path = file(packed + rest);
    EXPECT_EQ(failure(path), path + ": other data follows the compressed data");
  }
  const std::string cut_off = file(packed + packed.substr(0, 12));
  EXPECT_EQ(failure(cut_off), cut_off + ": the compressed data is truncated");
}

TEST_F(LineReaderTest, MessagesMayCallAFileByAnotherName) {
  const std::string path = file("\xff\n");
  EXPECT_EQ(message_of<InputError>([&] {
              std::string line;
              LineReader(path, InvalidText::Fail, "the pipe").next(line);
            }),
            "the pipe:1: expected UTF-8 text, found the byte 0xFF at byte 1 of the line");
}

TEST_F(LineReaderTest, ReadsLinesLongerThanItsBuffer) {
  const std::string line(300'000, 'x');
  EXPECT_EQ(read_lines(file(line + "\r\n" + line)), (Lines{line, line}));
}

TEST_F(LineReaderTest, SaysThatACompressedFileIsCutOffOrDamaged) {
  std::string content;
  for (int i = 0; i < 20'000; ++i) content += std::to_string(i * 7919) + "\n";
  const std::string whole = read_file(gzip(content));
  for (const size_t kept : {whole.size() - 1, whole.size() - 8, whole.size() / 2, size_t{30}}) {
    const std::string path = file(whole.substr(0, kept));
    const std::string message = failure(path);
    EXPECT_TRUE(message.starts_with(path + ":")) << message;
    EXPECT_NE(message.find("truncated"), std::string::npos) << kept << " bytes: " << message;
  }
  std::string damaged = whole;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
  const std::string message = failure(file(damaged));
  EXPECT_NE(message.find("the compressed data is damaged or truncated"), std::string::npos) << message;
  std::string wrong_checksum = whole;
  wrong_checksum[wrong_checksum.size() - 6] ^= 1;
  EXPECT_NE(failure(file(wrong_checksum)).find("the compressed data is damaged"), std::string::npos);
}

TEST_F(LineReaderTest, IllFormedTextIsAnErrorWithItsPlace) {
  const std::string path = file("fine\nab\xff\n");
  EXPECT_EQ(failure(path), path + ":2: expected UTF-8 text, found the byte 0xFF at byte 3 of the line");
  EXPECT_EQ(failure(file("\xed\xa0\x80")), path + ":1: expected UTF-8 text, found the byte 0xED at byte 1 of the line");
}

TEST_F(LineReaderTest, WesternTextWithAByteForEachCharacterIsNamed) {
  const std::string advice = "; if it is Windows-1252 or Latin-1, convert it with `iconv -f WINDOWS-1252 -t UTF-8`";
  const std::string path = directory_.file("text");
  EXPECT_EQ(failure(file("fine\nf\xfcr\n")),
            path + ":2: expected UTF-8 text, found the byte 0xFC at byte 2 of the line" + advice);
  EXPECT_TRUE(failure(file("\x93Yes\x94, he said\n")).ends_with(advice));
  EXPECT_TRUE(failure(file("stra\xdf"
                           "e ma\xdf\xfc"
                           "ber\n"))
                  .ends_with(advice));
  for (const std::string other :
       {"\xd6\xd0\xce\xc4 GBK", "\xcf\xf0\xe8\xe2\xe5\xf2 Cyrillic", "a\x81z", "\xfc", "a\xfc\x01"}) {
    EXPECT_TRUE(failure(file(other)).ends_with(" of the line")) << failure(file(other));
  }
}

TEST_F(LineReaderTest, DocumentsAndArchivesAreNamed) {
  const auto failure_of = [this](const std::string& name, const std::string& bytes) {
    write_file(directory_.file(name), bytes);
    return message_of<InputError>([&] { read_lines(directory_.file(name), InvalidText::Replace); });
  };
  const std::string way_out = "; save it as plain text, or for `heed translate` as .docx or .html";
  EXPECT_EQ(failure_of("a.odt", "PK\x03\x04\x14"),
            directory_.file("a.odt") + ": heed does not read .odt (a ZIP archive)" + way_out);
  EXPECT_EQ(failure_of("a.pdf", "%PDF-1.7\n\xe2\xe3\n"),
            directory_.file("a.pdf") + ": heed does not read .pdf (a PDF)" + way_out);
  EXPECT_EQ(failure_of("old", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x01"),
            directory_.file("old") + ": heed does not read an old Office document" + way_out);
  EXPECT_EQ(failure_of("a.docx", "PK\x03\x04"),
            directory_.file("a.docx") + ": only `heed translate` reads .docx; save it as plain text");
}

/// As `iconv -t ENCODING` writes ASCII text: `width` bytes a character, its own at `place`.
std::string widened(const std::string& text, size_t width, size_t place) {
  std::string wide;
  for (const char character : text) {
    std::string unit(width, '\0');
    unit[place] = character;
    wide += unit;
  }
  return wide;
}

TEST_F(LineReaderTest, AByteOrderMarkIsNoText) {
  const std::string mark = "\xef\xbb\xbf";
  EXPECT_EQ(read_lines(file(mark + "one\n" + mark + "two\n")), (Lines{"one", mark + "two"})) << "at the begin alone";
  EXPECT_EQ(read_lines(gzip(mark + "one")), Lines{"one"});
  EXPECT_EQ(read_lines(file(mark + "\n")), Lines{""});
  EXPECT_EQ(read_lines(file(mark)), Lines{}) << "a file without lines";
  LineReader keeps(file(mark + "one\n"));
  keeps.keep_byte_order_mark();
  std::string line;
  EXPECT_TRUE(keeps.next(line));
  EXPECT_EQ(line, mark + "one");
  LineReader bytes(file(mark + "one\n"), InvalidText::Keep);
  EXPECT_TRUE(bytes.next(line));
  EXPECT_EQ(line, mark + "one") << "what need not be text stays as it is";
}

TEST_F(LineReaderTest, NamesTextOfWiderCharacters) {
  using namespace std::string_literals;
  const auto advice = [this](const std::string& looks, const std::string& from) {
    return directory_.file("text") + ": looks like " + looks + "; convert it with `iconv -f " + from + " -t UTF-8`";
  };
  const std::string text = "one two\r\nthree\n";
  EXPECT_EQ(failure(file("\xff\xfe"s + widened(text, 2, 0))), advice("UTF-16", "UTF-16"));
  EXPECT_EQ(failure(file("\xfe\xff"s + widened(text, 2, 1))), advice("UTF-16", "UTF-16"));
  EXPECT_EQ(failure(file("\xff\xfe\0\0"s + widened(text, 4, 0))), advice("UTF-32", "UTF-32"));
  EXPECT_EQ(failure(file("\0\0\xfe\xff"s + widened(text, 4, 3))), advice("UTF-32", "UTF-32"));
  EXPECT_EQ(failure(file(widened(text, 2, 0))), advice("UTF-16", "UTF-16LE"));
  EXPECT_EQ(failure(file(widened(text, 2, 1))), advice("UTF-16", "UTF-16BE"));
  EXPECT_EQ(failure(file(widened(text, 4, 0))), advice("UTF-32", "UTF-32LE"));
  EXPECT_EQ(failure(file(widened(text, 4, 3))), advice("UTF-32", "UTF-32BE"));
  EXPECT_EQ(failure(file("\x1c\x20"s + widened("one\n", 2, 0))), advice("UTF-16", "UTF-16LE"));
  EXPECT_EQ(failure(file(widened("one\n", 2, 0))), advice("UTF-16", "UTF-16LE")) << "three letters are enough";
  EXPECT_NE(failure(gzip("\xff\xfe"s + widened(text, 2, 0))).find("looks like UTF-16; convert"), std::string::npos);
  const std::string replaced =
      message_of<InputError>([&] { read_lines(file("\xff\xfe"s + widened(text, 2, 0)), InvalidText::Replace); });
  EXPECT_EQ(replaced, advice("UTF-16", "UTF-16")) << "what would be replaced is all of it";
  EXPECT_EQ(read_lines(file("a\0b\0\n"s)), Lines{"a\0b\0"s}) << "two letters apart by NUL";
  EXPECT_EQ(failure(file("one\n\xff\xfe\n")),
            directory_.file("text") + ":2: expected UTF-8 text, found the byte 0xFF at byte 1 of the line");
}

TEST_F(LineReaderTest, ReplacesIllFormedTextOnRequest) {
  LineReader reader(file("a\xff"
                         "b\nfine\n\xe2\x82\n"),
                    InvalidText::Replace);
  Lines lines;
  for (std::string line; reader.next(line);) lines.push_back(line);
  EXPECT_EQ(lines, (Lines{"a\ufffd"
                          "b",
                          "fine", "\ufffd"}));
  EXPECT_EQ(reader.replaced_lines(), 2);
}

TEST_F(LineReaderTest, ReadsStandardInput) {
  {
    const StandardInput input(file("a\nb\n"));
    LineReader reader("-");
    EXPECT_EQ(reader.path(), "standard input");
    std::string line;
    ASSERT_TRUE(reader.next(line));
    EXPECT_EQ(line, "a");
  }
  {
    const StandardInput input(gzip("c\n"));
    EXPECT_EQ(read_lines("-"), Lines{"c"});
  }
  const StandardInput input(file("x\n\xff"));
  EXPECT_EQ(failure("-"), "standard input:2: expected UTF-8 text, found the byte 0xFF at byte 1 of the line");
}

TEST_F(LineReaderTest, SaysWhatCannotBeOpened) {
  EXPECT_EQ(message_of<FileError>([] { LineReader("/nowhere/a.en"); }),
            "/nowhere/a.en: cannot open: No such file or directory");
  EXPECT_EQ(message_of<FileError>([&] { LineReader reader(directory_.path()); }),
            directory_.path() + ": cannot read: Is a directory");
}

TEST_F(LineReaderTest, PythonsNamesOfEncodingsAreKnown) {
  const auto read = [&](const std::string& content, const std::string& encoding) {
    LineReader reader(file(content), InvalidText::Fail, "", encoding);
    Lines lines;
    for (std::string line; reader.next(line);) lines.push_back(line);
    return lines;
  };
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "a\nb\n",
                 "utf-8-sig"),
            (Lines{"a", "b"}));
  EXPECT_EQ(read("a\n", "utf-8-sig"), (Lines{"a"}));
  EXPECT_EQ(read("\x81\x85\n", "cp949"), (Lines{"걛"}));
  EXPECT_EQ(read("\xA2\xE6\n", "euc-kr"), (Lines{"€"}));
  EXPECT_EQ(read("\x80\n", "cp874"), (Lines{"€"}));
  EXPECT_EQ(read("\x80\n", "1252"), (Lines{"€"}));
  EXPECT_EQ(read("\xC3\xA9\n", "u8"), (Lines{"é"}));
  EXPECT_EQ(testing::message_of<InputError>([&] { read("fine\nGr\xF6\xDF\n", "ascii"); }),
            directory_.file("text") + ":1: is not text of the given encoding here or a little further on");
}

}  // namespace
}  // namespace heed
