// The home directory an agent gets: its login and nothing else of the user's, and the conversations it is to
// go on with.
#pragma once

#include <map>
#include <string>

#include "adapters/agents/driver.hpp"

namespace emend {

class PrivateHome {
public:
  // home: the private one, emptied with its workspace. user_home: where the user's own files are.
  PrivateHome(std::string home, std::string user_home)
      : home_(std::move(home)), user_home_(std::move(user_home)) {}

  [[nodiscard]] const std::string& path() const { return home_; }
  // Copies the login files that exist.
  [[nodiscard]] Status log_in(const Driver& driver);
  [[nodiscard]] bool has_login(const std::string& target) const { return copied_.contains(target); }
  [[nodiscard]] std::string user_file(const std::string& variable, const std::string& directory,
                                      const std::string& name) const;
  [[nodiscard]] Status write(const std::vector<HomeFile>& files) const;

  // A login that was renewed during the run replaces the user's: renewing makes the old one worthless. Only
  // if it is still the same kind of file and nobody else renewed it meanwhile.
  void hand_back(const Driver& driver) const;

  // Conversations go to and come from `store`, a directory of the engine's. Paths of the old workspace in
  // them become the new one's.
  [[nodiscard]] Status restore_conversations(const Driver& driver, const std::string& store,
                                             const std::string& workspace) const;
  [[nodiscard]] Status keep_conversations(const Driver& driver, const std::string& store,
                                          const std::string& workspace) const;

  // The login files there are on this machine, in full.
  [[nodiscard]] static std::vector<std::string> logins_of(const Driver& driver, const std::string& user_home);

private:
  std::string home_;
  std::string user_home_;
  std::map<std::string, std::string> copied_; // target -> bytes
};

} // namespace emend
