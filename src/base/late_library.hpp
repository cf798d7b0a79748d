// A shared library that is loaded when it is first needed: libraries for servers bring dozens of others
// along, and most runs of the program talk to none.
//
//   inline LateLibrary libpq("libpq.so.5", "libpq5");
//   inline const LateFunction<decltype(&::PQexec)> PQexec{libpq, "PQexec"};
//   TRY(libpq.load());
//   PQexec(connection, "select 1");
#pragma once

#include <atomic>
#include <mutex>

#include "base/result.hpp"

namespace emend {

class LateLibrary {
public:
  // Both texts live as long as the program. package: what a person installs to have it.
  LateLibrary(const char* file, const char* package) : file_(file), package_(package) {}
  LateLibrary(const LateLibrary&) = delete;
  LateLibrary& operator=(const LateLibrary&) = delete;

  // Loaded once and never unloaded. ErrorCode::io: it is not installed. Thread-safe.
  [[nodiscard]] Status load();
  // Throws when the library is not there or has no such function.
  [[nodiscard]] void* function(const char* name);

private:
  const char *file_, *package_;
  std::mutex mutex_;
  void* handle_ = nullptr;
};

// Called like the function it stands for. F: a pointer to such a function.
template <typename F>
class LateFunction {
public:
  LateFunction(LateLibrary& library, const char* name) : library_(library), name_(name) {}

  template <typename... Arguments>
  auto operator()(Arguments... arguments) const {
    F function = found_.load(std::memory_order_acquire);
    if (function == nullptr) {
      function = reinterpret_cast<F>(library_.function(name_));
      found_.store(function, std::memory_order_release);
    }
    return function(arguments...);
  }

private:
  mutable std::atomic<F> found_{nullptr};
  LateLibrary& library_;
  const char* name_;
};

} // namespace emend
