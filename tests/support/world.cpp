#include "tests/support/world.hpp"

#include <sys/stat.h>

#include "adapters/agents/agent_factory.hpp"
#include "adapters/git/git_repository.hpp"
#include "adapters/process/overlay_probe.hpp"
#include "adapters/sql/sql_store.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "tests/support/paths.hpp"

namespace emend::testing_support {
namespace {

AgentBinding script_agent(const std::string& name, const std::string& path) {
  AgentBinding binding;
  binding.name = name;
  binding.engine = "exec";
  binding.command = {path, "{role}", "{issue}", "{prompt_file}"};
  binding.model = name + "-model";
  binding.family = name + "-family";
  return binding;
}

} // namespace

World::World(const Files& files)
    : directory_(must(TemporaryDirectory::create(fs::temp_directory_path(), "emend-world"))),
      runner_(EMEND_EXEC_BINARY) {
  const fs::path base = fs::canonical(directory_.path());
  root = base / "repository";
  home = base / "home";
  scripts = base / "scripts";
  for (const std::string& made : {root, home, scripts}) must(make_directories(made));
  git({"init", "-q", "-b", "main"});
  for (const auto& [path, bytes] : files) write(path, bytes);
  git({"add", "-A"});
  git({"commit", "-q", "-m", "base"});
  policy.parallel = 1;
  policy.canaries = 0; // scripts approve of everything
  policy.verify_timeout_ms = 20'000;
  policy.fix_timeout_ms = 20'000;
  policy.challenge_timeout_ms = 20'000;
  policy.verify_mode = VerifyMode::each;
  policy.pass_env = {"PATH"};
  policy.fixer = script_agent("fixer", scripts + "/fixer");
  policy.challenger = script_agent("judge", scripts + "/judge");
  fixer("exit 0");
  judge_score(97);
  reopen();
}

void World::reopen() {
  store_.reset();
  repository_.reset();
  store_ = must(open_sql_store(home + "/emend.db"));
  static const bool overlay = overlay_supported(runner_, home);
  GitOptions options{home, overlay, "git"};
  options.shared = {scripts}; // scripts leave marks there
  options.sandbox = sandbox;
  repository_ = must(open_repository(root, runner_, options));
  agents_ = std::make_unique<LocalAgentFactory>(runner_, EMEND_BINARY, root);
}

void World::fixer(const std::string& script) {
  must(write_file(scripts + "/fixer", "#!/bin/sh\n" + script + "\n", 0755));
}
// A judge's answer repeats $token: what the prompt says, or the end of the file with the rest of the diff.
void World::judge(const std::string& script, const std::string& name) {
  const std::string token =
      "token=$(cat \"${3:--}\" rest-of-the-diff-*.txt 2>/dev/null | sed -n 's/.*The review token is "
      "\\([0-9a-f]*\\).*/\\1/p' | tail -1)\n";
  must(write_file(scripts + "/" + name, "#!/bin/sh\n" + token + script + "\n", 0755));
}
void World::judge_score(int score, const std::string& status) {
  judge("printf '{\"review_token\":\"'$token'\",\"issues\":{\"%s\":{\"score\":" + std::to_string(score) +
        ",\"status\":\"" + status +
        "\",\"feedback\":\"scored by "
        "rule\",\"quality_scores\":{\"correctness\":90},\"improvements_needed\":[]}}}\\n' \"$2\"");
}

Finding World::finding(const std::string& file, int line, const std::string& description, Severity severity) {
  Finding finding;
  finding.file = file;
  finding.line = line;
  finding.title = description;
  finding.description = description;
  finding.severity = severity;
  return finding;
}

std::vector<Issue> World::add(const std::vector<Finding>& findings) {
  return must(manager().add_findings(findings, "HEAD"));
}
Ports World::ports() { return Ports{*store_, *repository_, runner_, *agents_, clock_, &analyzers}; }
SessionManager World::manager() { return SessionManager(ports(), home, on_event); }

Result<FixReport> World::fix(const std::vector<Issue>& issues, std::stop_token stop) {
  FixRequest request;
  for (const Issue& issue : issues) request.issue_ids.push_back(issue.id);
  request.policy = policy;
  return manager().fix(request, stop);
}
FixReport World::must_fix(const std::vector<Issue>& issues) { return must(fix(issues)); }

std::string World::git(const std::vector<std::string>& arguments) {
  ProcessSpec spec;
  spec.argv = {"git", "-C", root, "-c", "user.name=Test User", "-c", "user.email=test@example.org"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.cwd = root;
  spec.env = {"PATH=" + std::string(std::getenv("PATH")), "HOME=" + root + "/..", "GIT_CONFIG_NOSYSTEM=1",
              "GIT_OPTIONAL_LOCKS=0"};
  spec.supervise = false;
  const ProcessResult result = must(runner_.run(spec, {}));
  EXPECT_TRUE(result.ok()) << join(arguments, " ") << ": " << result.err;
  return result.out;
}

ProcessResult World::emend(const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment) {
  ProcessSpec spec;
  spec.argv = {EMEND_BINARY};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.cwd = root;
  spec.env = {"PATH=" + std::string(std::getenv("PATH")), "HOME=" + root + "/..", "EMEND_HOME=" + home,
              "CI=true"};
  for (const std::string& variable : environment) { // a given one replaces ours
    std::erase_if(spec.env, [&](const std::string& ours) {
      return ours.starts_with(variable.substr(0, variable.find('=') + 1));
    });
    spec.env.push_back(variable);
  }
  spec.wall_limit_ms = 60'000;
  return must(runner_.run(spec, {}));
}

std::string World::show(const std::string& ref, const std::string& path) {
  for (const std::string& line : split(git({"ls-tree", "-r", "--name-only", ref}), '\n'))
    if (line == path) return git({"show", ref + ":" + path});
  return {};
}

std::vector<std::string> World::branches() {
  std::vector<std::string> names;
  for (const std::string& line :
       split(git({"for-each-ref", "--format=%(refname:short)", "refs/heads"}), '\n'))
    if (!line.empty()) names.push_back(line);
  return names;
}

void World::write(const std::string& path, const std::string& bytes) {
  must(write_file(fs::path(root) / path, bytes, 0644));
}

std::map<std::string, std::string> World::manifest() {
  std::map<std::string, std::string> entries;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string path = fs::relative(entry.path(), root);
    if (path.starts_with(".git/objects") || path.starts_with(".git/refs/heads/fix") ||
        path.starts_with(".git/logs/refs/heads/fix"))
      continue;
    if (path == ".git/refs/heads" || path == ".git/logs/refs/heads" || path == ".git")
      continue; // hold the new branch
    struct stat info {};
    ::lstat(entry.path().c_str(), &info);
    const std::string hash = S_ISREG(info.st_mode) ? sha256_hex(must(read_file(entry.path()))) : "";
    entries[path] = hash + " " + std::to_string(info.st_mode) + " " + std::to_string(info.st_mtim.tv_sec) +
                    "." + std::to_string(info.st_mtim.tv_nsec);
  }
  return entries;
}

std::string World::artifact(const std::string& session_id, const std::string& name) {
  auto text = read_file(fs::path(home) / "sessions" / session_id / "runs" / name);
  return text ? *text : std::string{};
}

std::vector<Event> World::events(const std::string& session_id) {
  return must(store_->events_after(0, session_id, 100'000));
}

const IssueOutcome& World::outcome(const FixReport& report, const std::string& code) {
  for (const IssueOutcome& outcome : report.issues)
    if (outcome.issue.code == code) return outcome;
  throw std::runtime_error("no such issue in the report: " + code);
}

std::string World::status(const FixReport& report, const std::string& code) {
  const Issue& issue = outcome(report, code).issue;
  return std::string(to_string(issue.status)) +
         (issue.status == IssueStatus::failed ? "(" + issue.reason + ")" : "");
}

} // namespace emend::testing_support
