#include <algorithm>
#include <utility>

#include "api/packing.hpp"
#include "api/routes.hpp"
#include "base/strings.hpp"

namespace emend {

namespace embedded {
const std::vector<std::pair<std::string_view, std::string_view>>&
dashboard(); // what web/ was bundled into; each file also as NAME.gz and NAME.br
} // namespace embedded

namespace {

std::string_view embedded_file(std::string_view name) {
  const auto& files = embedded::dashboard();
  const auto file =
      std::find_if(files.begin(), files.end(), [&](const auto& known) { return known.first == name; });
  return file == files.end() ? std::string_view() : file->second;
}

std::string content_type(std::string_view name) {
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "text/html; charset=utf-8";
}

// A program that was built without the dashboard has nothing packed.
HttpResponse file_response(const HttpRequest& request, const std::string& name) {
  Coding coding = coding_for(request);
  const std::string ending = coding == Coding::brotli ? ".br" : coding == Coding::gzip ? ".gz" : "";
  std::string_view bytes = embedded_file(name + ending);
  if (bytes.empty()) {
    coding = Coding::plain;
    bytes = embedded_file(name);
  }
  HttpResponse response{
      200, {{"Content-Type", content_type(name)}, {"Vary", "Accept-Encoding"}}, std::string(bytes)};
  if (coding != Coding::plain) response.headers.push_back({"Content-Encoding", std::string(name_of(coding))});
  return response;
}

// Says nothing about anything: what there is to see, the page asks the API for, with a login.
Result<HttpReply> page(const Call& call) { return file_response(call.request, "index.html"); }

// Names hold a hash of their content, so a browser never needs to ask for one again.
Result<HttpReply> asset(const Call& call) {
  const std::string& name = call.parameter("name");
  if (name == "index.html" || name.ends_with(".gz") || name.ends_with(".br") || embedded_file(name).empty())
    return problem_response(404, "not-found", "there is no such file; load the page again");
  HttpResponse response = file_response(call.request, name);
  response.headers.push_back({"Cache-Control", "public, max-age=31536000, immutable"});
  return response;
}

} // namespace

// Every place of the dashboard has an address, and all of them are the same page.
std::vector<Operation> dashboard_operations() {
  return {
      {"GET", "/", "getDashboard", page, Admission::anybody},
      {"GET", "/issues", "getIssuesPage", page, Admission::anybody},
      {"GET", "/issues/{code}", "getIssuePage", page, Admission::anybody},
      {"GET", "/sessions", "getSessionsPage", page, Admission::anybody},
      {"GET", "/sessions/{id}", "getSessionPage", page, Admission::anybody},
      {"GET", "/sessions/{id}/changes", "getChangesPage", page, Admission::anybody},
      {"GET", "/pulls", "getPullsPage", page, Admission::anybody},
      {"GET", "/pulls/{id}", "getPullPage", page, Admission::anybody},
      {"GET", "/insights", "getInsightsPage", page, Admission::anybody},
      {"GET", "/settings", "getSettingsPage", page, Admission::anybody},
      {"GET", "/assets/{name}", "getAsset", asset, Admission::anybody},
  };
}

} // namespace emend
