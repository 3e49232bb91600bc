// The index of an encoded corpus: what it was made from.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "heed/data/encoded/corpus_layout.h"

namespace heed::data {

/// Throws FileError, and CheckpointError if the file is damaged or has another format.
CorpusIndex read_index(const std::string& path);
void write_index(const std::string& path, const CorpusIndex& index);
/// Removes all shards with this number or a higher one.
void remove_shards(const std::string& path, int64_t first);

/// Whether the file has targets or pairs.
bool holds_targets(const CorpusFile& file);
/// The first line of each file of targets among the lines of all of them, then the end of the last.
std::vector<int64_t> first_lines(const std::vector<CorpusFile>& files);

/// The files that the corpus at `path` was made from; empty if it does not exist.
std::vector<CorpusFile> known_files(const std::string& path);
/// SHA-256 of every file, by names such as "`prefix`source file 1". A known file with the same path, size and time is
/// not read again. Throws FileError.
std::map<std::string, std::string> checksums(const CorpusFiles& files, const std::string& prefix = "",
                                             const std::vector<CorpusFile>& known = {});
/// All files of a corpus as they are now, with their SHA-256. lines: lines of each file.
std::vector<CorpusFile> identities(const CorpusFiles& files, const std::vector<int64_t>& lines);
/// Whether the files have the same content as before. A file with the same path, size and time is not read.
bool same_content(const std::vector<CorpusFile>& before, const CorpusFiles& files);

}  // namespace heed::data
