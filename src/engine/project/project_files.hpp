// A project's files as the detection of its commands sees them: names, bounded reads, and the places where a
// build file lies.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

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

// Answers with a file's bytes, nullopt when it cannot be read.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;

// A directory with a build file in it; empty = the root.
struct ProjectPlace {
  std::string directory;

  [[nodiscard]] std::string file(std::string_view name) const; // relative to the root
  [[nodiscard]] bool holds(std::string_view path) const;
  // For /bin/sh in the root.
  [[nodiscard]] std::string command(const std::string& text) const;
  // With the name, the command and the paths made those of this place.
  [[nodiscard]] CommandGuess guess(const std::string& name, const std::string& command,
                                   const std::string& reason) const;
};

enum class Nested { part_of_the_outer, projects_of_their_own };

class ProjectFiles {
public:
  ProjectFiles(const std::vector<std::string>& paths, const FileReader& read);

  [[nodiscard]] bool has(std::string_view path) const;
  [[nodiscard]] bool has(const ProjectPlace& place, std::string_view name) const {
    return has(place.file(name));
  }
  // Empty when it is absent, unreadable or larger than what a person writes.
  [[nodiscard]] std::string text(const std::string& path) const;
  // nullopt when it is no JSON object; then it is noted.
  [[nodiscard]] std::optional<Json> object(const std::string& path, Detected& found) const;
  // The project's own files: without vendored, generated and hidden directories.
  [[nodiscard]] const std::vector<std::string>& own() const { return own_; }
  // Directories, outermost first, that hold one of the named files; not too deep, not too many.
  [[nodiscard]] std::vector<ProjectPlace> places(const std::vector<std::string>& names,
                                                 Nested nested = Nested::part_of_the_outer) const;

private:
  std::set<std::string, std::less<>> all_;
  std::vector<std::string> own_;
  const FileReader& read_;
};

[[nodiscard]] std::string_view base_name(std::string_view path);
// The word stands for itself in the text: "go" is not in "cargo".
[[nodiscard]] bool has_word(std::string_view text, std::string_view word);

// One file each; they add to `found`.
void detect_cmake(const ProjectFiles& files, Detected& found);
void detect_meson(const ProjectFiles& files, Detected& found);
void detect_node(const ProjectFiles& files, Detected& found);
void detect_cargo(const ProjectFiles& files, Detected& found);
void detect_go(const ProjectFiles& files, Detected& found);
void detect_java(const ProjectFiles& files, Detected& found);
void detect_python(const ProjectFiles& files, Detected& found);
void detect_make(const ProjectFiles& files,
                 Detected& found); // after the others: a Makefile often only calls them
void detect_shell(const ProjectFiles& files, Detected& found);
void detect_hints(const ProjectFiles& files, Detected& found);

} // namespace emend
