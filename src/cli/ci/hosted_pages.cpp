#include "cli/ci/hosted_pages.hpp"

#include <algorithm>

#include "base/environment.hpp"
#include "base/strings.hpp"
#include "cli/process_record.hpp"

namespace emend {

namespace {

bool is_address(const std::string& text) {
  return (text.starts_with("https://") || text.starts_with("http://")) && text.size() < 500 &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view(":/._-~%").find(c) != std::string_view::npos;
         });
}

} // namespace

std::string pipeline_page(const std::vector<std::string>& environment) {
  std::string page = variable(environment, "CI_PIPELINE_URL"); // GitLab
  if (variable(environment, "GITHUB_ACTIONS") == "true" && variable(environment, "GITEA_ACTIONS") != "true")
    page = variable(environment, "GITHUB_SERVER_URL") + "/" + variable(environment, "GITHUB_REPOSITORY") +
           "/actions/runs/" + variable(environment, "GITHUB_RUN_ID");
  return is_address(page) ? page : std::string();
}

std::string HostedPages::issue(const std::string& code) const {
  return dashboard.empty() ? "" : dashboard + "/issues/" + code + "?repo=" + repository;
}

std::string HostedPages::about(const std::vector<Issue>& issues) const {
  if (dashboard.empty()) return run;
  return issues.size() == 1 ? issue(issues.front().code) : dashboard + "/issues?repo=" + repository;
}

Result<HostedPages> hosted_pages(CommandContext& context) {
  HostedPages pages;
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(Repository * repository, context.repository());
  pages.repository = repository->id();
  pages.run = pipeline_page(context.environment());
  const Json server = running_server(home);
  const std::string address = string_or(server, "public");
  if (is_address(address)) pages.dashboard = address;
  const Json* sources = find_member(server, "webhooks");
  pages.hears_buttons =
      sources != nullptr && std::find(sources->begin(), sources->end(), Json("github")) != sources->end();
  return pages;
}

} // namespace emend
