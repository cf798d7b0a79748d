// The files `emend init` writes beside emend.toml, as text: a CI job, a hook.
#pragma once

#include <string>

namespace emend {

// .github/workflows/emend.yml: reviews every push and pull request, shows the result in code scanning.
[[nodiscard]] std::string github_workflow_text();
// .gitlab/emend.yml, to be included from .gitlab-ci.yml: the same for GitLab's merge request widget.
[[nodiscard]] std::string gitlab_job_text();
// .pre-commit-config.yaml, whole; an existing one needs the entry below `repos:`.
[[nodiscard]] std::string pre_commit_text();

} // namespace emend
