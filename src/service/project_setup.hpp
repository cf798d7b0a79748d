// How a project that nobody has configured gets its emend.toml: the checks recognised in its last commit,
// marked where this machine could not run them, and the file they make.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/json.hpp"
#include "engine/project/detect.hpp"
#include "ports/process.hpp"
#include "ports/repository.hpp"

namespace emend {

// Where programs are looked for. Relative entries of PATH are passed over: they would mean the tree being
// worked on.
struct SetupPlace {
  Repository& repository;
  ProcessRunner& processes;
  const std::vector<std::string>& environment;
  std::stop_token stop = {};
};

// A guess whose program is missing here has not_used set.
[[nodiscard]] Result<Detected> guess_commands(const SetupPlace& place);
[[nodiscard]] bool any_used(const Detected& found);
// {"commands":[{"name","run","reason","paths","used","not_used"}],"hints":[..],"notes":[..]}
[[nodiscard]] Json to_json(const Detected& found);
// The name of the configuration file the repository has at its root; empty = none. A dangling link is one,
// too.
[[nodiscard]] std::string existing_config(const fs::path& root);
// Guesses with not_used are written as comments. The result is valid emend.toml whatever the guesses contain.
[[nodiscard]] std::string config_file_text(const Detected& found);
// emend.toml at the root, with this text. ErrorCode::conflict where there is a configuration or no checkout.
[[nodiscard]] Result<std::string> write_first_config(const fs::path& root, std::string_view text);

// An absolute path in PATH; empty = not found.
[[nodiscard]] std::string program_in_path(const std::vector<std::string>& environment, std::string_view name);
// What `argv` prints when it is started away from the repository with a private home; nullopt when it does
// not end well.
[[nodiscard]] std::optional<std::string> output_of(ProcessRunner& processes,
                                                   const std::vector<std::string>& environment,
                                                   std::vector<std::string> argv, std::stop_token stop);

} // namespace emend
