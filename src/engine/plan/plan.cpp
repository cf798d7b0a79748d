#include "engine/plan/plan.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.hpp"
#include "base/redact.hpp"
#include "base/strings.hpp"
#include "engine/context/run_context.hpp"
#include "engine/context/tree_texts.hpp"
#include "ports/artifacts.hpp"

namespace emend {

namespace {

std::vector<std::string> names_of(const std::vector<VerifyCommand>& commands) {
  std::vector<std::string> names;
  for (const VerifyCommand& command : commands) names.push_back(command.name);
  return names;
}

// Everything in a TODO reaches an agent: clean and without secrets.
std::string content_id(const Tree& tree, const std::string& file) {
  if (file.empty()) return {};
  const auto entry = tree.find(file);
  return entry == tree.end() ? "-" : entry->second.id;
}

Result<FixTodo> todo_of(const Tree& tree, TreeTexts& texts, const PlanRequest& request,
                        const Redactor& redactor, const Issue& issue) {
  const auto safe = [&redactor](const std::string& text) { return redactor.redact(clean_text(text)); };
  Issue shown = issue;
  shown.finding.title = safe(issue.finding.title);
  shown.finding.description = safe(issue.finding.description);
  shown.finding.suggestion = safe(issue.finding.suggestion);
  std::string content;
  if (!issue.finding.file.empty()) {
    if (auto read = texts.read(issue.finding.file)) content = *std::move(read);
  }
  FixTodo todo =
      make_fix_todo(shown, content, request.policy.context_lines, names_of(request.policy.commands));
  todo.file_id = content_id(tree, issue.finding.file);
  todo.snippet = safe(todo.snippet);
  for (const std::string& convention : request.policy.conventions)
    todo.existing_patterns.push_back(safe(convention));
  return todo;
}

// In the order of the plan. Their files are asked for many at a time.
Result<std::vector<FixTodo>> todos_of(const Ports& ports, const PlanRequest& request, const std::string& base,
                                      const std::vector<PlanStep>& steps) {
  constexpr std::size_t kTogether = 1'000;
  TRY_ASSIGN(const Redactor redactor, Redactor::with_patterns(request.policy.redact_patterns));
  TRY_ASSIGN(const Tree* tree, ports.repository.tree(base));
  std::map<std::string, const Issue*> by_code;
  for (const Issue& issue : request.issues) by_code.emplace(issue.code, &issue);
  std::vector<const Issue*> issues;
  for (const PlanStep& step : steps)
    for (const std::string& code : step.codes) issues.push_back(by_code.at(code));
  TreeTexts texts(ports.repository, base);
  std::vector<FixTodo> todos;
  for (std::size_t i = 0; i < issues.size(); ++i) {
    if (i % kTogether == 0) {
      std::set<std::string> files;
      for (std::size_t next = i; next < std::min(i + kTogether, issues.size()); ++next)
        files.insert(issues[next]->finding.file);
      TRY(texts.expect(files));
    }
    TRY_ASSIGN(FixTodo todo, todo_of(*tree, texts, request, redactor, *issues[i]));
    todos.push_back(std::move(todo));
  }
  return todos;
}

} // namespace

Result<std::vector<std::string>> stale_files(CommittedFiles& repository, const std::string& commit,
                                             const PlanFiles& plan) {
  TRY_ASSIGN(const Tree* tree, repository.tree(commit));
  std::vector<std::string> files;
  std::set<std::string> known;
  for (const FixTodo& todo : plan.todos)
    if (!todo.file_id.empty() && todo.file_id != content_id(*tree, todo.file) &&
        known.insert(todo.file).second)
      files.push_back(todo.file);
  return files;
}

Result<std::string> session_id_for(SessionStore& store, const PlanFiles& plan) {
  const std::string& id = plan.master.session_id;
  if (!is_session_id(id)) return new_session_id();
  const auto known = store.session(id);
  if (!known && known.error().code != ErrorCode::not_found) return fail(known.error());
  return known ? new_session_id() : id;
}

Result<Plan> make_plan(const Ports& ports, const std::string& home, const PlanRequest& request) {
  const std::vector<Work> all = work_of(request.issues);
  Plan plan;
  plan.steps = request.steps.empty() ? plan_steps(all) : request.steps;
  TRY(check_plan(all, plan.steps, request.skipped));
  plan.session_id = request.session_id.empty() ? new_session_id() : request.session_id;
  plan.branch = replace_all(request.policy.branch, "{session}", plan.session_id);
  plan.strategy = request.strategy;
  plan.skipped = request.skipped;
  plan.slots = std::max(request.policy.parallel, 1);
  plan.directory = request.directory.empty() ? fs::path(home) / "sessions" / plan.session_id
                                             : fs::absolute(request.directory).lexically_normal();
  const std::set<std::string> skipped(plan.skipped.begin(), plan.skipped.end());
  for (const Work& work : all)
    if (!skipped.contains(work.code)) plan.works.push_back(work);
  plan.steps = with_reasons(plan.works, std::move(plan.steps));
  plan.units = work_units(plan.works, plan.strategy, request.limits);
  plan.makespan = plan_makespan(plan.works, plan.steps, plan.slots);

  TRY_ASSIGN(const std::string base, ports.repository.resolve(request.base_ref));
  plan.files.master = make_master_todo(plan.session_id, plan.branch, plan.steps, plan.directory);
  TRY_ASSIGN(plan.files.todos, todos_of(ports, request, base, plan.steps));
  return plan;
}

Result<fs::path> keep_plan_files(const Ports& ports, const std::string& home, const Plan& plan) {
  ArtifactSink* told = plan.directory == session_folder(home, plan.session_id) ? ports.artifacts : nullptr;
  if (told != nullptr) told->will_keep(plan.session_id);
  TRY_ASSIGN(fs::path master, write_plan_files(plan.directory, plan.files));
  if (told != nullptr) told->kept(plan.session_id);
  return master;
}

} // namespace emend
