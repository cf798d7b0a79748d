// Where people can look in a browser at what emend knows and does, for links in what it says at forges.
#pragma once

#include <string>

#include "base/result.hpp"
#include "cli/context.hpp"

namespace emend {

struct HostedPages {
  std::string dashboard;      // of a server that runs here and that others can reach; empty = none does
  std::string repository;     // its id
  std::string run;            // page of the pipeline this runs in; empty = it runs in none
  bool hears_buttons = false; // that server takes deliveries of GitHub

  // An issue's page, which opens with its proof. Empty where there is no dashboard.
  [[nodiscard]] std::string issue(const std::string& code) const;
  // Of one issue where there is but one, else of all; without a dashboard the pipeline's.
  [[nodiscard]] std::string about(const std::vector<Issue>& issues) const;
};

[[nodiscard]] Result<HostedPages> hosted_pages(CommandContext& context);

// Pure. The page of the pipeline that these variables speak of.
[[nodiscard]] std::string pipeline_page(const std::vector<std::string>& environment);

} // namespace emend
