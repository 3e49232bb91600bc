// Calls a function at the end of a scope, also if an exception leaves it.
#pragma once

#include <utility>

namespace heed {

template <class Function>
class [[nodiscard]] ScopeExit {
 public:
  /// The function must not throw.
  explicit ScopeExit(Function function) : function_(std::move(function)) {}
  ScopeExit(const ScopeExit&) = delete;
  ScopeExit& operator=(const ScopeExit&) = delete;
  ~ScopeExit() { function_(); }

 private:
  Function function_;
};

}  // namespace heed
