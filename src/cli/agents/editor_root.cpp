#include "cli/agents/editor_root.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "api/addresses.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/agents/agent_session.hpp"
#include "cli/agents/taken_fix.hpp"
#include "cli/daily/check_action.hpp"
#include "cli/daily/review_options.hpp"
#include "cli/process_record.hpp"
#include "cli/report_text.hpp"
#include "config/config_files.hpp"
#include "engine/intake/fingerprint.hpp"
#include "engine/review/review.hpp"
#include "service/database_place.hpp"

namespace emend {
namespace {

constexpr int kFarthest = 500; // lines from where an issue was to where it is looked for
constexpr std::int64_t kAskServerEveryMs = 2'000;

// Nearest first.
std::optional<int> line_with_key(const FingerprintText& text, const Issue& issue) {
  Finding at = issue.finding;
  for (int away = 0; away <= kFarthest; ++away)
    for (const int line : {issue.finding.line + away, issue.finding.line - away}) {
      if (line < 1 || line > text.lines()) continue;
      at.line = line;
      if (text.fingerprints(at).line_key == issue.line_key) return line;
    }
  return std::nullopt;
}

// Where the dashboard of a server that runs now is; empty = none does.
std::string dashboard_of(const std::string& home) {
  const Json server = running_server(home);
  const Json* port = find_member(server, "port");
  if (port == nullptr || !port->is_number_integer()) return "";
  return local_origin(string_or(server, "address", "127.0.0.1"), port->get<int>());
}

// Do they look the same in an editor?
bool same_look(const std::vector<Issue>& a, const std::vector<Issue>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Issue& one, const Issue& other) {
    return one.code == other.code && one.status == other.status && one.finding == other.finding;
  });
}

std::string stamp_of(const fs::path& file) {
  std::error_code problem;
  const auto written = fs::last_write_time(file, problem);
  if (problem) return "-";
  return std::to_string(written.time_since_epoch().count()) + "/" +
         std::to_string(fs::file_size(file, problem));
}

} // namespace

EditorRoot::EditorRoot(const CliDependencies& dependencies, GlobalOptions global, std::string path)
    : dependencies_(dependencies), global_(std::move(global)), path_(std::move(path)) {
  global_.no_input = true;
}

// Asked now and then; one that cannot be reached is as it was.
std::string EditorRoot::server_stamp(const std::string& address) {
  const std::int64_t now = dependencies_.clock->steady_ms();
  if (!served_.empty() && now - served_ms_ < kAskServerEveryMs) return served_;
  served_ms_ = now;
  const auto asked = [&]() -> Result<std::string> {
    if (!ledger_) {
      TRY_ASSIGN(ledger_, dependencies_.open_ledger(address));
    }
    TRY_ASSIGN(const std::int64_t newest, ledger_->newest_event());
    TRY_ASSIGN(const std::vector<IssueCount> counts, ledger_->issue_counts());
    std::string text = std::to_string(newest);
    for (const IssueCount& one : counts)
      text += fmt::format(" {}/{}/{}", to_string(one.status), to_string(one.severity), one.count);
    return text;
  }();
  if (!asked) ledger_.reset();
  if (asked) served_ = *asked;
  return served_;
}

std::string EditorRoot::stamp() {
  CommandContext now = context();
  const auto home = now.home();
  if (!home) return "?";
  const std::string database = database_address(now.environment(), *home);
  if (!database.starts_with('/')) return server_stamp(database) + " " + dashboard_of(*home);
  return stamp_of(database) + " " + stamp_of(database + "-wal") + " " + dashboard_of(*home);
}

Status EditorRoot::load() {
  loaded_ = stamp();
  // Kept open: closing the last connection would write to the database.
  if (!reading_) reading_ = std::make_unique<CommandContext>(dependencies_, global_, path_);
  TRY_ASSIGN(Store * store, reading_->store());
  TRY_ASSIGN(Repository * repository, reading_->repository());
  TRY_ASSIGN(const std::string home, reading_->home());
  IssueFilter filter;
  filter.repository_id = repository->id();
  filter.statuses = {IssueStatus::open, IssueStatus::in_progress, IssueStatus::failed, IssueStatus::resolved};
  TRY_ASSIGN(std::vector<Issue> issues, store->issues(filter));
  Known known;
  for (Issue& issue : issues)
    if (issue.absent_commit.empty()) known.by_file[issue.finding.file].issues.push_back(std::move(issue));
  if (const std::string page = dashboard_of(home); !page.empty()) {
    known.page_before = page + "/issues/";
    known.page_after = "?repo=" + repository->id();
  }
  const std::lock_guard lock(mutex_);
  const bool other_page = known.page_before != known_.page_before;
  for (auto& [file, shown] : known.by_file) {
    const auto before = known_.by_file.find(file);
    const bool same =
        !other_page && before != known_.by_file.end() && same_look(before->second.issues, shown.issues);
    shown.version = same ? before->second.version : ++last_version_;
  }
  known_ = std::move(known);
  return {};
}

// Without a database there is nothing to show.
void EditorRoot::load_first() {
  if (ready_) return; // whatever is loaded anew meanwhile
  const std::lock_guard lock(loading_);
  if (loaded_.empty()) (void)load();
  ready_ = true;
}

std::vector<Issue> EditorRoot::issues(const std::string& file) {
  load_first();
  const std::lock_guard lock(mutex_);
  const auto found = known_.by_file.find(file);
  return found == known_.by_file.end() ? std::vector<Issue>{} : found->second.issues;
}

std::vector<lsp::FileState> EditorRoot::files() {
  load_first();
  const std::lock_guard lock(mutex_);
  std::vector<lsp::FileState> states;
  for (const auto& [file, shown] : known_.by_file)
    if (!file.empty()) states.push_back({file, shown.version});
  return states;
}

std::string EditorRoot::link(const std::string& code) {
  const std::lock_guard lock(mutex_);
  if (known_.page_before.empty() || code.empty()) return "";
  return known_.page_before + code + known_.page_after;
}

CommandContext EditorRoot::context() const {
  CommandContext made(dependencies_, global_, path_);
  made.act_through("the editor");
  return made;
}

bool EditorRoot::reload() {
  const std::lock_guard lock(loading_);
  return stamp() != loaded_ && load().has_value();
}

std::vector<Issue> EditorRoot::place(std::vector<Issue> issues, const std::string& text) {
  const FingerprintText here(text);
  std::erase_if(issues, [&](Issue& issue) {
    if (issue.finding.line < 1 || issue.line_key.empty()) return false;
    const auto line = line_with_key(here, issue);
    if (!line) return true;
    const int moved = *line - issue.finding.line;
    issue.finding.line += moved;
    if (issue.finding.line_end > 0) issue.finding.line_end += moved;
    return false;
  });
  return issues;
}

Result<lsp::Scan> EditorRoot::analyze(const std::string& file, std::stop_token stop) {
  CommandContext now = context();
  TRY_ASSIGN(SessionManager * manager, now.manager());
  TRY_ASSIGN(const Analyzers analyzers, configured_analyzers(now, Kept::yes));
  TRY_ASSIGN(const Config config, now.config());
  ReviewRequest request;
  request.scope.kind = ScopeKind::all;
  request.paths = {file};
  request.rules = config.review_rules();
  request.save = false;
  TRY_ASSIGN(const Review review, manager->review(analyzers, request, stop));
  lsp::Scan scan;
  for (const Issue& issue : review.issues)
    if (issue.code.empty() && issue.finding.file == file) scan.fresh.push_back(issue);
  for (const Issue& issue : review.absent)
    if (issue.finding.file == file) scan.absent.push_back(issue.code);
  return scan;
}

Result<Patch> EditorRoot::fix_of(const std::string& code) {
  CommandContext now = context();
  TRY_ASSIGN(Store * store, now.store());
  TRY_ASSIGN(Repository * repository, now.repository());
  TRY_ASSIGN(TakenFix fix, taken_fix(*store, *repository, code));
  return std::move(fix.patch);
}

Result<std::string> EditorRoot::explain(const std::string& code) {
  CommandContext now = context();
  TRY_ASSIGN(SessionManager * manager, now.manager());
  TRY_ASSIGN(const Explanation explanation, manager->explain(code));
  return explanation_text(explanation, Palette{});
}

Status EditorRoot::ignore(const std::string& code, const std::string& reason) {
  CommandContext now = context();
  TRY_ASSIGN(SessionManager * manager, now.manager());
  TRY(manager->ignore(code, reason, "from the editor"));
  return {};
}

Result<std::string> EditorRoot::check(std::stop_token stop, const lsp::Tell& tell) {
  CommandContext now = context();
  TRY_ASSIGN(CheckOrder order, order_of(now, {}));
  tell("running the project's checks");
  TRY_ASSIGN(const ChangeCheck check, check_here(now, std::move(order), stop));
  return check_text(check, Palette{});
}

Result<lsp::FixEnd> EditorRoot::fix(const std::string& code, std::stop_token stop, const lsp::Tell& tell) {
  CommandContext now = context();
  TRY_ASSIGN(const std::string id, begin_session(now, {code}, stop));
  TRY_ASSIGN(SessionManager * manager, now.manager());
  TRY_ASSIGN(const auto report, wait_for_session(now, id, std::chrono::hours(24), stop, tell));
  if (!report) {
    TRY(manager->cancel(id));
    return fail(ErrorCode::cancelled, "the session was cancelled");
  }
  TRY_ASSIGN(Store * store, now.store());
  TRY_ASSIGN(Repository * repository, now.repository());
  TRY_ASSIGN(const Issue issue, store->issue(repository->id(), code));
  return lsp::FixEnd{issue.status == IssueStatus::resolved, fix_result_text(*report, Palette{})};
}

lsp::FindRoot find_editor_roots(const CliDependencies& dependencies, const GlobalOptions& global) {
  struct Opened {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<lsp::Root>> roots; // by path
  };
  return [&dependencies, global,
          opened = std::make_shared<Opened>()](const std::string& path) -> std::shared_ptr<lsp::Root> {
    std::error_code problem;
    const fs::path folder = fs::is_directory(path, problem) ? fs::path(path) : fs::path(path).parent_path();
    const std::string root = find_repository_root(folder.string());
    if (root.empty()) return nullptr;
    const std::lock_guard lock(opened->mutex);
    auto& kept = opened->roots[root];
    if (!kept) kept = std::make_shared<EditorRoot>(dependencies, global, root);
    return kept;
  };
}

} // namespace emend
