#include "heed/data/encoded/source_statistics.h"

#include <gtest/gtest.h>

#include "data/number_tokenizer.h"
#include "heed/core/files/atomic_file.h"
#include "heed/data/encoded/encoded_corpus.h"
#include "support/temporary_directory.h"

namespace heed::data {
namespace {

TEST(DocumentFrequencies, CountLinesNotTokensAndNoUnknownOnes) {
  const testing::TemporaryDirectory directory;
  const CorpusFiles files{.source = {directory.file("source")}, .target = {directory.file("target")}, .pairs = {}};
  write_file(files.source[0], "7 7 8 1\n8 9 1 8\n8\n");
  write_file(files.target[0], "4\n4\n4\n");
  build_corpus(directory.file("corpus"), files, testing::number_tokenizers(), {});
  const EncodedCorpus corpus(directory.file("corpus"));
  EXPECT_EQ(source_document_frequencies(corpus, 11), (std::vector<int64_t>{0, 0, 0, 3, 0, 0, 0, 1, 3, 1, 0}));
}

}  // namespace
}  // namespace heed::data
