// Which operation a method and a path mean. Unknown paths and wrong methods are told apart. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emend {

struct RouteMatch {
  std::size_t route = 0; // index in the order of adding
  std::map<std::string, std::string, std::less<>> parameters;
};

class RouteTable {
public:
  // pattern: "/api/issues/{code}/history"; a parameter is one whole segment. A fixed segment wins over a
  // parameter.
  std::size_t add(std::string method, std::string_view pattern);
  [[nodiscard]] std::optional<RouteMatch> find(std::string_view method,
                                               const std::vector<std::string>& path) const;
  // Of a path, in the order of adding; empty = there is no such path.
  [[nodiscard]] std::vector<std::string> methods(const std::vector<std::string>& path) const;

private:
  struct Route {
    std::string method;
    std::vector<std::string> segments;
  };
  [[nodiscard]] static std::optional<std::map<std::string, std::string, std::less<>>> match(
      const Route& route, const std::vector<std::string>& path);
  std::vector<Route> routes_;
};

} // namespace emend
