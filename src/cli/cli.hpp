// The command line front end. It is handed everything from outside, so it never sees an adapter.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "ports/forge.hpp"
#include "ports/remotes.hpp"
#include "ports/sign_in.hpp"
#include "service/dependencies.hpp"

namespace emend {

// One row of `emend doctor`.
struct DoctorFact {
  std::string check;
  std::string state; // "ok", "warning", "optional", "missing"; only "missing" means that review or fix --safe
                     // could not run
  std::string detail;
  std::string remedy;
};

struct CliDependencies : Dependencies {
  std::function<Result<std::unique_ptr<Remotes>>(const std::string& directory, const std::string& home)>
      open_remotes;
  // The token is taken from the environment (NAME=VALUE), or asked of gh.
  std::function<Result<std::unique_ptr<Forge>>(const ForgePlace& place, const ForgeSettings& settings,
                                               const std::vector<std::string>& environment)>
      open_forge;
  // Where people of a server sign in.
  std::function<Result<std::unique_ptr<SignInProvider>>(const SignInPlace& place)> open_sign_in;
  // See adapters/git/git_remotes.hpp and git_repository.hpp.
  std::function<Status(const std::string& url, const std::string& directory, std::stop_token stop)>
      clone_repository;
  std::function<Status(const std::string& directory, std::stop_token stop)> refresh_clone;
  std::function<Status(const std::string& directory, const std::string& home, const std::string& id)>
      adopt_repository;
  std::function<std::vector<DoctorFact>()> system_facts;
  std::stop_token stop;
  std::function<int()> stop_signal; // the signal that fired stop; 0 = none
};

// Returns the process's exit code.
[[nodiscard]] int run_cli(int argc, char** argv, const CliDependencies& dependencies);

} // namespace emend
