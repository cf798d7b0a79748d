#include <algorithm>
#include <utility>

#include "api/problem_pages.hpp"
#include "api/routes.hpp"

namespace emend {

namespace embedded {
const std::vector<std::pair<std::string_view, std::string_view>>& api_contract(); // api/openapi.*
} // namespace embedded

namespace {

using EmbeddedFiles = std::vector<std::pair<std::string_view, std::string_view>>;

Operation document(std::string pattern, std::string id, const EmbeddedFiles& files, std::string_view name,
                   std::string type, Admission admission) {
  const auto file =
      std::find_if(files.begin(), files.end(), [&](const auto& known) { return known.first == name; });
  const std::string_view text = file == files.end() ? std::string_view() : file->second;
  const auto run = [text, type = std::move(type)](const Call&) -> Result<HttpReply> {
    return HttpResponse{200, {{"Content-Type", type}}, std::string(text)};
  };
  return {"GET", std::move(pattern), std::move(id), run, admission};
}

Result<HttpReply> explain_problem(const Call& call) {
  const auto& pages = problem_pages();
  const auto page = std::find_if(pages.begin(), pages.end(), [&](const ProblemPage& known) {
    return known.code == call.parameter("name");
  });
  if (page == pages.end()) return problem_response(404, "not-found", "there is no such problem");
  std::string text = std::string(page->code) + " (" + std::to_string(page->status) + " " +
                     std::string(status_text(page->status)) + ")\n\n";
  text += std::string(page->meaning) + "\n\nWhat to do: " + std::string(page->remedy) + "\n";
  return HttpResponse{200, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(text)};
}

} // namespace

std::vector<Operation> document_operations() {
  const EmbeddedFiles& contract = embedded::api_contract();
  return {
      document("/openapi.json", "getOpenApiJson", contract, "openapi.json", "application/json",
               Admission::member),
      document("/openapi.yaml", "getOpenApiYaml", contract, "openapi.yaml", "application/yaml",
               Admission::member),
      {"GET", "/problems/{name}", "getProblem", explain_problem, Admission::anybody},
  };
}

} // namespace emend
