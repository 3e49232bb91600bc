// What an exception says.
#pragma once

#include <exception>
#include <string>

namespace heed::testing {

/// The text of the Exception that `action` throws; "nothing was thrown" otherwise. Other exceptions pass through.
template <class Exception, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace heed::testing
