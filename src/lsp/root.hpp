// One repository as an editor's server asks for it. Whoever runs the server implements it.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/issue.hpp"
#include "model/patch.hpp"

namespace emend::lsp {

// What analyzers say about a saved file.
struct Scan {
  std::vector<Issue> fresh;        // not known yet: without a code
  std::vector<std::string> absent; // codes of known issues that are gone
};

struct FixEnd {
  bool resolved = false;
  std::string text; // for the person
};

// A file with issues.
struct FileState {
  std::string file;         // from the root
  std::int64_t version = 0; // another one when what is shown of it has changed
};

using Tell = std::function<void(const std::string& line)>;

// Safe to use from many threads.
class Root {
public:
  virtual ~Root() = default;
  [[nodiscard]] virtual const std::string& path() const = 0; // of the repository

  // From memory: issues of a file ('/' separated, from the root) that a person would want to see there.
  [[nodiscard]] virtual std::vector<Issue> issues(const std::string& file) = 0;
  [[nodiscard]] virtual std::vector<FileState> files() = 0; // sorted
  // A page about the issue in the dashboard that is running; empty = no dashboard runs.
  [[nodiscard]] virtual std::string link(const std::string& code) = 0;
  // Reads them again if the database has changed since. True = it has.
  [[nodiscard]] virtual bool reload() = 0;
  // The issues with the lines they have in this text; without those whose line is gone.
  [[nodiscard]] virtual std::vector<Issue> place(std::vector<Issue> issues, const std::string& text) = 0;

  // Analyzers look at the file as it is on disk; nothing is stored.
  [[nodiscard]] virtual Result<Scan> analyze(const std::string& file, std::stop_token stop) = 0;
  // What the fix of a RESOLVED issue changes.
  [[nodiscard]] virtual Result<Patch> fix_of(const std::string& code) = 0;
  [[nodiscard]] virtual Result<std::string> explain(const std::string& code) = 0;
  [[nodiscard]] virtual Status ignore(const std::string& code, const std::string& reason) = 0;
  [[nodiscard]] virtual Result<std::string> check(std::stop_token stop, const Tell& tell) = 0;
  // A whole session; it ends when stopped.
  [[nodiscard]] virtual Result<FixEnd> fix(const std::string& code, std::stop_token stop,
                                           const Tell& tell) = 0;
};

// The repository a file or folder is in; null = none. The same object for the same repository.
using FindRoot = std::function<std::shared_ptr<Root>(const std::string& path)>;

} // namespace emend::lsp
