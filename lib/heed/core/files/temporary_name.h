// Hidden temporary names. A file or directory is made under one, in the folder of its final name, until it is whole.
#pragma once

#include <functional>
#include <string>

namespace heed {

/// `DIRECTORY/.NAME.heedN.tmp` for DIRECTORY/NAME, whose own name may be as long as a file system allows: at most its
/// first 100 bytes are taken. A process holds a lock (flock) on what it has under such a name, so that others can tell
/// whether it still runs, on whatever machine.
std::string temporary_name(const std::string& path, int number);

/// Called with the name of what is about to be removed.
using BeforeRemoval = std::function<void(const std::string& name)>;

/// Removes the file or directory under a temporary name if its process has ended: if nobody holds its lock. On a file
/// system without locks nothing is removed.
void remove_abandoned(const std::string& name, const BeforeRemoval& before = {});
/// Removes what ended processes left while they made this file or directory. False, with errno, if its folder cannot
/// hold a temporary name, such as when the path is too long.
bool remove_abandoned_of(const std::string& path, const BeforeRemoval& before = {});
/// Removes what ended processes left under temporary names in a directory, whatever they made.
void remove_abandoned_in(const std::string& directory);

/// Takes a free temporary name for `path`: calls take(name) with one after the other while that fails with EEXIST.
/// Gives what the last call gave, negative with errno where it failed, and the name in `name`.
int take_temporary_name(const std::string& path, std::string& name, const std::function<int(const char*)>& take);

/// A descriptor of the file at a path, which holds its lock until it is closed: meanwhile others keep a temporary name
/// of the same file. Negative if this process cannot open it.
int lock_file(const std::string& path);

/// Holds the lock of what this process has under a temporary name, until the descriptor is closed. False: it is being
/// removed, so take another name.
bool lock_temporary(int descriptor);

}  // namespace heed
