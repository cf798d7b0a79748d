#include "http/route_table.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

namespace {

bool is_parameter(const std::string& segment) {
  return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

} // namespace

std::size_t RouteTable::add(std::string method, std::string_view pattern) {
  Route route{std::move(method), {}};
  if (pattern.size() > 1) route.segments = split(pattern.substr(1), '/');
  routes_.push_back(std::move(route));
  return routes_.size() - 1;
}

std::optional<std::map<std::string, std::string, std::less<>>> RouteTable::match(
    const Route& route, const std::vector<std::string>& path) {
  if (route.segments.size() != path.size()) return std::nullopt;
  std::map<std::string, std::string, std::less<>> parameters;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::string& segment = route.segments[i];
    if (is_parameter(segment))
      parameters[segment.substr(1, segment.size() - 2)] = path[i];
    else if (segment != path[i])
      return std::nullopt;
  }
  return parameters;
}

std::optional<RouteMatch> RouteTable::find(std::string_view method,
                                           const std::vector<std::string>& path) const {
  std::optional<RouteMatch> best;
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    if (routes_[i].method != method) continue;
    auto parameters = match(routes_[i], path);
    if (parameters && (!best || parameters->size() < best->parameters.size()))
      best = RouteMatch{i, *std::move(parameters)};
  }
  return best;
}

std::vector<std::string> RouteTable::methods(const std::vector<std::string>& path) const {
  std::vector<std::string> found;
  for (const Route& route : routes_)
    if (match(route, path) && std::find(found.begin(), found.end(), route.method) == found.end())
      found.push_back(route.method);
  return found;
}

} // namespace emend
