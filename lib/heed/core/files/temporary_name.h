// Hidden temporary names. A file or directory has one, in its final folder, until it is complete.
#pragma once

#include <functional>
#include <string>

namespace heed {

/// `DIRECTORY/.NAME.heedN.tmp` for DIRECTORY/NAME. NAME may already have the maximum length of the file system, so at
/// most its first 100 bytes are used. A process holds a lock (flock) on its temporary files. So other processes, on any
/// machine, can find out whether it still runs.
std::string temporary_name(const std::string& path, int number);

/// Called with the name of a file before it is removed.
using BeforeRemoval = std::function<void(const std::string& name)>;

/// Removes the file or directory with a temporary name if its process has ended, that is, if nobody holds its lock. On
/// a file system without locks nothing is removed.
void remove_stale(const std::string& name, const BeforeRemoval& before = {});
/// Removes what ended processes left for this file or directory. Returns false, with errno, if its folder cannot hold a
/// temporary name, for example if the path is too long.
bool remove_abandoned_of(const std::string& path, const BeforeRemoval& before = {});
/// Removes everything that ended processes left under temporary names in a directory.
void remove_abandoned_in(const std::string& directory);

/// Finds a free temporary name for `path`: calls take(name) with one name after the other until it does not fail with
/// EEXIST. Returns the result of the last call (negative with errno if it failed), and the name in `name`.
int create_with_temporary_name(const std::string& path, std::string& name, const std::function<int(const char*)>& take);

/// Makes a directory with a free temporary name for `path`, and locks it until the returned descriptor is closed.
/// Negative with errno if it cannot be made.
int create_temporary_directory(const std::string& path, std::string& name);

/// Opens the file and locks it until the descriptor is closed. Meanwhile other processes do not remove another
/// temporary name (hard link) of the file. Negative if this process cannot open it.
int lock_file(const std::string& path);

/// Locks a temporary file of this process until the descriptor is closed. Returns false if another process is removing
/// the file: then take another name.
bool lock_temporary(int descriptor);

}  // namespace heed
