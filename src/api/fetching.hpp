// What a server needs of git to clone and to fetch.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "base/result.hpp"
#include "ports/remotes.hpp"

namespace emend {

// Done by the person's own git.
struct Fetching {
  // EMEND_HOME is where what arrives from a clone of a person's goes: their own repository stays as it is.
  std::function<Result<std::unique_ptr<Remotes>>(const std::string& directory, const std::string& home)>
      open_remotes = {};
  std::function<Status(const std::string& url, const std::string& directory, std::stop_token stop)> clone =
      {};
  std::function<Status(const std::string& directory, std::stop_token stop)> refresh = {}; // a clone of ours
};

} // namespace emend
