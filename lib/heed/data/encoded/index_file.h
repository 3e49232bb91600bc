// The index of an encoded corpus: what it was made of.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "heed/data/encoded/corpus_layout.h"

namespace heed::data {

/// Throws FileError; CheckpointError where it is damaged or of another format.
CorpusIndex read_index(const std::string& path);
void write_index(const std::string& path, const CorpusIndex& index);
/// Removes the shards from this number on.
void remove_shards(const std::string& path, int64_t first);

/// Whether it is a file of targets, or of pairs.
bool holds_targets(const CorpusFile& file);
/// Where, among all lines of the targets, each of their files begins, and the end of the last.
std::vector<int64_t> first_lines(const std::vector<CorpusFile>& files);

/// What the corpus at `path`, if there is one, was made of.
std::vector<CorpusFile> known_files(const std::string& path);
/// SHA-256 of every file, by names such as "`prefix`source file 1". A file that is known with its size and time is not
/// read. Throws FileError.
std::map<std::string, std::string> checksums(const CorpusFiles& files, const std::string& prefix = "",
                                             const std::vector<CorpusFile>& known = {});
/// All files of a corpus as they are now, with their SHA-256. lines: of each.
std::vector<CorpusFile> identities(const CorpusFiles& files, const std::vector<int64_t>& lines);
/// Whether the files are those, by content; a file of the same path, size and time is not read.
bool same_content(const std::vector<CorpusFile>& before, const CorpusFiles& files);

}  // namespace heed::data
