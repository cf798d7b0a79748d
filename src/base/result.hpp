// Result<T>: a value, or an Error that says what went wrong and what to do about it.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace emend {

// What a caller can act on. Exit codes are derived from these (cli/exit_status).
enum class ErrorCode {
  usage,       // the person's words are off: flags, arguments, input files
  config,      // a configuration file is wrong
  not_found,   // the named thing does not exist
  conflict,    // somebody else changed it first
  needs_input, // an answer or a permission from the person is missing
  auth,        // a login is missing
  git,         // git refused, or the repository cannot be worked on
  io,          // file system, process or pipe
  database,    // the store refused or is damaged
  agent,       // an agent could not be started or gave nothing usable
  cancelled,   // a stop token fired
  limit,       // a cap (time, bytes, money) was reached
  internal,    // a broken invariant
};

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message; // one sentence, no trailing newline
  std::string remedy;  // what to do now; may be empty

  // "while <context>: <message>" is how callers add what they were doing.
  [[nodiscard]] Error with_context(const std::string& context) && {
    message = context + ": " + message;
    return std::move(*this);
  }
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message,
                                                std::string remedy = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(remedy)});
}
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

} // namespace emend

#define EMEND_CONCAT_(a, b) a##b
#define EMEND_CONCAT(a, b) EMEND_CONCAT_(a, b)

// TRY(status_expression);              returns the error to the caller
// TRY_ASSIGN(auto x, result_expression); same, and binds the value
#define TRY(expr)                                                         \
  do {                                                                    \
    auto&& emend_try_ = (expr);                                           \
    if (!emend_try_) return ::emend::fail(std::move(emend_try_).error()); \
  } while (false)
#define TRY_ASSIGN(decl, expr)                                                   \
  auto&& EMEND_CONCAT(emend_try_, __LINE__) = (expr);                            \
  if (!EMEND_CONCAT(emend_try_, __LINE__))                                       \
    return ::emend::fail(std::move(EMEND_CONCAT(emend_try_, __LINE__)).error()); \
  decl = *std::move(EMEND_CONCAT(emend_try_, __LINE__))
