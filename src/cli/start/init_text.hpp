// The files `emend init` writes, as text: a commented emend.toml, a CI job, a hook.
#pragma once

#include <string>
#include <string_view>

#include "engine/project/detect.hpp"

namespace emend {

// Guesses with not_used are written as comments. The result is valid emend.toml whatever the guesses contain.
[[nodiscard]] std::string config_file_text(const Detected& found);

// .github/workflows/emend.yml: reviews every push and pull request, shows the result in code scanning.
[[nodiscard]] std::string github_workflow_text();
// .gitlab/emend.yml, to be included from .gitlab-ci.yml: the same for GitLab's merge request widget.
[[nodiscard]] std::string gitlab_job_text();
// .pre-commit-config.yaml, whole; an existing one needs the entry below `repos:`.
[[nodiscard]] std::string pre_commit_text();

} // namespace emend
