// What every forge with a REST API has: its place, a client for it, and the addresses of a project's things.
#pragma once

#include <string>

#include "adapters/forge/rest_client.hpp"
#include "ports/forge.hpp"

namespace emend {

class RestForge : public Forge {
public:
  [[nodiscard]] const ForgePlace& place() const override { return place_; }

protected:
  // root: where the project is in the API. pulls: what stands before the number of a pull request there.
  RestForge(ForgePlace place, RestSettings settings, const Clock& clock, std::string root, std::string pulls)
      : place_(std::move(place)),
        rest_(std::move(settings), clock),
        root_(std::move(root)),
        pulls_(std::move(pulls)) {}

  [[nodiscard]] std::string at(const std::string& path) const { return root_ + path; }
  [[nodiscard]] std::string pull_path(int number) const { return at(pulls_ + std::to_string(number)); }
  [[nodiscard]] std::string issue_path(int number) const { return at("/issues/" + std::to_string(number)); }

  const ForgePlace place_;
  RestClient rest_;

private:
  const std::string root_, pulls_;
};

} // namespace emend
