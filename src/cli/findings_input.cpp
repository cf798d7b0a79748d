#include "cli/findings_input.hpp"

#include <unistd.h>

#include <cerrno>

#include "base/files.hpp"
#include "engine/findings.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxBytes = 100'000'000;

Result<std::string> read_stdin() {
  std::string text;
  char buffer[65536];
  while (text.size() <= kMaxBytes) {
    const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(ErrorCode::io, "cannot read stdin");
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return fail(ErrorCode::usage, "more than 100 MB on stdin");
}

} // namespace

Result<std::vector<Finding>> read_findings(const std::string& path) {
  if (path.empty()) return std::vector<Finding>();
  const std::string name = path == "-" ? "stdin" : path;
  auto text = path == "-" ? read_stdin() : read_file(path, kMaxBytes);
  if (!text) return fail(ErrorCode::usage, "cannot read the findings in " + name + ": " + text.error().message);
  auto findings = parse_findings(*text);
  if (!findings) return fail(std::move(findings.error()).with_context(name));
  return findings;
}

} // namespace emend
