#include "cli/findings_input.hpp"

#include <unistd.h>

#include <cerrno>

#include "base/files.hpp"
#include "engine/intake/findings.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxBytes = 100'000'000; // of our own findings files

Result<std::string> read_stdin(std::size_t max_bytes) {
  std::string text;
  char buffer[65536];
  while (text.size() <= max_bytes) {
    const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(ErrorCode::io, "cannot read stdin");
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return fail(ErrorCode::usage, "more than " + std::to_string(max_bytes / 1'000'000) + " MB on stdin");
}

} // namespace

Result<std::string> read_input(const std::string& path, std::size_t max_bytes) {
  return path == "-" ? read_stdin(max_bytes) : read_file(path, max_bytes);
}

Result<ReportText> open_report(const std::string& path, std::size_t max_bytes) {
  if (path == "-") {
    TRY_ASSIGN(std::string text, read_stdin(max_bytes));
    return ReportText(std::move(text));
  }
  TRY_ASSIGN(RegularFile file, RegularFile::open(path, max_bytes));
  return ReportText(std::move(file));
}

Result<std::vector<Finding>> read_findings(const std::string& path) {
  if (path.empty()) return std::vector<Finding>();
  const std::string name = path == "-" ? "stdin" : path;
  auto text = read_input(path, kMaxBytes);
  if (!text)
    return fail(ErrorCode::usage, "cannot read the findings in " + name + ": " + text.error().message);
  auto findings = parse_findings(*text);
  if (!findings) return fail(std::move(findings.error()).with_context(name));
  return findings;
}

} // namespace emend
