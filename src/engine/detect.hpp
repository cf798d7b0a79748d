// Guesses how a project checks itself, from its files alone. Nothing is run, and nothing guessed runs before
// a person trusts it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace emend {

struct CommandGuess {
  std::string name;                       // "ctest", "web-npm-test"; unique
  std::string command;                    // one line for /bin/sh, started in the root of a private tree
  std::string reason;                     // one sentence, for the person who decides
  std::vector<std::string> paths = {};    // globs of the files it speaks for; empty = all
  std::vector<std::string> programs = {}; // looked up in PATH before it can run
  std::string python_module = {};         // the same for a module of python3
  std::string downloads = {}; // the part of it that needs the network ("npm ci"); empty = nothing does
  std::string not_used = {};  // why it should not run as it stands; empty = use it
};

// A command somebody wrote down for contributors or agents: shown, never taken over.
struct CommandHint {
  std::string command;
  std::string file;
  int line = 0;
};

struct Detected {
  std::vector<CommandGuess> commands; // in the order they should run
  std::vector<CommandHint> hints;
  std::vector<std::string> notes; // files that should have told something and could not be understood
};

// `paths` are the project's files, relative to its root. `read` answers with a file's bytes, nullopt when it
// cannot be read.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;
[[nodiscard]] Detected detect_commands(const std::vector<std::string>& paths, const FileReader& read);

} // namespace emend
