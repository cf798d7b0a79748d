#include "engine/plan_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/prompt.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kMaxFileBytes = 10'000'000;
constexpr std::int64_t kMaxNumber = 1'000'000'000;

// --- reading
// ----------------------------------------------------------------------------------------------------------------

tl::unexpected<Error> bad(const std::string& where, const std::string& what) {
  return fail(ErrorCode::usage, where + " " + what,
              "see docs/plan-files.md, or make the plan again with `emend plan`");
}

Result<std::string> text_member(const Json& object, const std::string& where, const char* key) {
  const Json* value = find_member(object, key);
  if (value == nullptr || !value->is_string()) return bad(where + "." + key, "must be text");
  return value->get<std::string>();
}

Result<int> number_member(const Json& object, const std::string& where, const char* key) {
  const Json* value = find_member(object, key);
  const auto number = value == nullptr ? std::nullopt : exact_int(*value, 0, kMaxNumber);
  if (!number) return bad(where + "." + key, "must be a whole number from 0");
  return static_cast<int>(*number);
}

Result<const Json*> list_member(const Json& object, const std::string& where, const char* key) {
  const Json* value = find_member(object, key);
  if (value == nullptr || !value->is_array()) return bad(where + "." + key, "must be a list");
  return value;
}

Result<const Json*> object_member(const Json& object, const std::string& where, const char* key) {
  const Json* value = find_member(object, key);
  if (value == nullptr || !value->is_object()) return bad(where + "." + key, "must be an object");
  return value;
}

Result<std::vector<std::string>> texts_member(const Json& object, const std::string& where, const char* key) {
  TRY_ASSIGN(const Json* list, list_member(object, where, key));
  std::vector<std::string> texts;
  for (const Json& item : *list) {
    if (!item.is_string()) return bad(where + "." + key, "must be a list of texts");
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

std::string place(const std::string& list, std::size_t index) { return fmt::format("{}[{}]", list, index); }

Result<MasterTodo::Step> read_step(const Json& row, const std::string& where) {
  MasterTodo::Step step;
  TRY_ASSIGN(step.step, number_member(row, where, "step"));
  TRY_ASSIGN(step.reason, text_member(row, where, "reason"));
  TRY_ASSIGN(const Json* issues, list_member(row, where, "issues"));
  for (std::size_t i = 0; i < issues->size(); ++i) {
    const std::string at = place(where + ".issues", i);
    MasterTodo::Item item;
    TRY_ASSIGN(item.code, text_member((*issues)[i], at, "code"));
    TRY_ASSIGN(item.todo_file, text_member((*issues)[i], at, "todo_file"));
    TRY_ASSIGN(item.agent_type, text_member((*issues)[i], at, "agent_type"));
    step.issues.push_back(std::move(item));
  }
  return step;
}

Status read_context(const Json& json, FixTodo& todo) {
  TRY_ASSIGN(const Json* context, object_member(json, "fix_todo", "context"));
  TRY_ASSIGN(todo.snippet, text_member(*context, "context", "file_content_snippet"));
  TRY_ASSIGN(const Json* related, list_member(*context, "context", "related_files"));
  for (std::size_t i = 0; i < related->size(); ++i) {
    const std::string at = place("context.related_files", i);
    FixTodo::Related file;
    TRY_ASSIGN(file.path, text_member((*related)[i], at, "path"));
    TRY_ASSIGN(file.reason, text_member((*related)[i], at, "reason"));
    todo.related_files.push_back(std::move(file));
  }
  TRY_ASSIGN(todo.existing_patterns, texts_member(*context, "context", "existing_patterns"));
  return {};
}

Status read_plan(const Json& json, FixTodo& todo) {
  TRY_ASSIGN(const Json* plan, object_member(json, "fix_todo", "plan"));
  TRY_ASSIGN(todo.approach, text_member(*plan, "plan", "approach"));
  TRY_ASSIGN(todo.steps, texts_member(*plan, "plan", "steps"));
  TRY_ASSIGN(todo.estimated_lines_changed, number_member(*plan, "plan", "estimated_lines_changed"));
  TRY_ASSIGN(todo.risks, texts_member(*plan, "plan", "risks"));
  TRY_ASSIGN(todo.verification, text_member(*plan, "plan", "verification"));
  return {};
}

Status read_answers(const Json& json, FixTodo& todo) {
  TRY_ASSIGN(const Json* list, list_member(json, "fix_todo", "clarifications"));
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string at = place("clarifications", i);
    FixTodo::Answer answer;
    TRY_ASSIGN(answer.question_id, text_member((*list)[i], at, "question_id"));
    TRY_ASSIGN(answer.question, text_member((*list)[i], at, "question"));
    TRY_ASSIGN(answer.answer, text_member((*list)[i], at, "answer"));
    TRY_ASSIGN(answer.context, text_member((*list)[i], at, "context"));
    todo.clarifications.push_back(std::move(answer));
  }
  return {};
}

Result<Json> read_json(const fs::path& path) {
  auto text = read_file_nofollow(path, kMaxFileBytes);
  if (!text) return bad(path.string(), "cannot be read: " + text.error().message);
  auto json = parse_json(*text);
  if (!json) return bad(path.string(), "is not a plan: " + json.error().message);
  if (!json->is_object()) return bad(path.string(), "must hold one JSON object");
  return json;
}

Result<FixTodo> read_todo(const MasterTodo::Item& item, const fs::path& directory) {
  const fs::path expected = directory / fix_todo_name(item.code);
  if (fs::path(item.todo_file).filename() != expected.filename())
    return bad("the TODO file of " + first_line(clean_text(item.code), 80), "must be " + expected.string());
  TRY_ASSIGN(const Json json, read_json(expected)); // beside the master, wherever the plan was moved to
  auto todo = fix_todo_from_json(json);
  if (!todo) return fail(std::move(todo).error().with_context(expected.string()));
  if (todo->issue_code != item.code)
    return bad(expected.string(), "is about another issue: " + first_line(clean_text(todo->issue_code), 80));
  return todo;
}

// --- making
// -----------------------------------------------------------------------------------------------------------------

std::vector<std::string> first_steps(const Issue& issue) {
  const Finding& finding = issue.finding;
  const std::string where =
      finding.line > 0 ? fmt::format("{} line {}", finding.file, finding.line) : finding.file;
  std::vector<std::string> steps;
  steps.push_back(where.empty() ? "Find where the problem is" : "Read " + where);
  steps.push_back(finding.suggestion.empty() ? "Remove the cause of: " + finding.title : finding.suggestion);
  return steps;
}

std::vector<FixTodo::Answer> answers_of(const Issue& issue) {
  std::vector<FixTodo::Answer> answers;
  for (const Clarification& said : issue.clarifications)
    if (said.state == ClarificationState::answered)
      answers.push_back({said.question_id, said.question, said.answer, said.context});
  return answers;
}

} // namespace

Json to_json(const MasterTodo& todo) {
  Json steps = Json::array();
  std::size_t issues = 0;
  for (const MasterTodo::Step& step : todo.steps) {
    Json items = Json::array();
    for (const MasterTodo::Item& item : step.issues)
      items.push_back({{"code", item.code}, {"todo_file", item.todo_file}, {"agent_type", item.agent_type}});
    issues += items.size();
    steps.push_back({{"step", step.step}, {"reason", step.reason}, {"issues", std::move(items)}});
  }
  return {{"session_id", todo.session_id},
          {"branch_name", todo.branch_name},
          {"execution_steps", std::move(steps)},
          {"summary", {{"total_issues", issues}, {"total_steps", todo.steps.size()}}}};
}

Json to_json(const FixTodo& todo) {
  Json answers = Json::array(), related = Json::array();
  for (const FixTodo::Answer& said : todo.clarifications)
    answers.push_back({{"question_id", said.question_id},
                       {"question", said.question},
                       {"answer", said.answer},
                       {"context", said.context}});
  for (const FixTodo::Related& file : todo.related_files)
    related.push_back({{"path", file.path}, {"reason", file.reason}});
  return {{"issue_code", todo.issue_code},
          {"issue_id", todo.issue_id},
          {"file", todo.file},
          {"file_id", todo.file_id},
          {"line", todo.line},
          {"title", todo.title},
          {"description", todo.description},
          {"clarifications", std::move(answers)},
          {"context",
           {{"file_content_snippet", todo.snippet},
            {"related_files", std::move(related)},
            {"existing_patterns", todo.existing_patterns}}},
          {"plan",
           {{"approach", todo.approach},
            {"steps", todo.steps},
            {"estimated_lines_changed", todo.estimated_lines_changed},
            {"risks", todo.risks},
            {"verification", todo.verification}}}};
}

Result<MasterTodo> master_todo_from_json(const Json& json) {
  MasterTodo todo;
  TRY_ASSIGN(todo.session_id, text_member(json, "master_todo", "session_id"));
  TRY_ASSIGN(todo.branch_name, text_member(json, "master_todo", "branch_name"));
  TRY_ASSIGN(const Json* steps, list_member(json, "master_todo", "execution_steps"));
  std::set<std::string> codes;
  for (std::size_t i = 0; i < steps->size(); ++i) {
    const std::string at = place("execution_steps", i);
    TRY_ASSIGN(MasterTodo::Step step, read_step((*steps)[i], at));
    if (step.step != static_cast<int>(i) + 1)
      return bad(at + ".step", fmt::format("must be {}: steps are numbered in order", i + 1));
    if (step.issues.empty()) return bad(at + ".issues", "must not be empty");
    for (const MasterTodo::Item& item : step.issues)
      if (!codes.insert(item.code).second)
        return bad(at, "names " + first_line(clean_text(item.code), 80) + " a second time");
    todo.steps.push_back(std::move(step));
  }
  TRY_ASSIGN(const Json* summary, object_member(json, "master_todo", "summary"));
  TRY_ASSIGN(const int issues, number_member(*summary, "summary", "total_issues"));
  TRY_ASSIGN(const int total_steps, number_member(*summary, "summary", "total_steps"));
  if (issues != static_cast<int>(codes.size()) || total_steps != static_cast<int>(todo.steps.size()))
    return bad("summary", fmt::format("does not match: there are {} issues in {} steps", codes.size(),
                                      todo.steps.size()));
  return todo;
}

Result<FixTodo> fix_todo_from_json(const Json& json) {
  FixTodo todo;
  TRY_ASSIGN(todo.issue_code, text_member(json, "fix_todo", "issue_code"));
  TRY_ASSIGN(todo.issue_id, text_member(json, "fix_todo", "issue_id"));
  TRY_ASSIGN(todo.file, text_member(json, "fix_todo", "file"));
  TRY_ASSIGN(todo.line, number_member(json, "fix_todo", "line"));
  TRY_ASSIGN(todo.title, text_member(json, "fix_todo", "title"));
  todo.file_id = string_or(json, "file_id"); // older plans have neither
  todo.description = string_or(json, "description");
  TRY(read_answers(json, todo));
  TRY(read_context(json, todo));
  TRY(read_plan(json, todo));
  return todo;
}

std::string fix_todo_name(std::string_view code) {
  std::string safe;
  for (const char c : code.substr(0, 64)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.';
    safe += plain ? c : '_';
  }
  if (safe != code || safe.empty()) safe += "-" + sha256_hex(code).substr(0, 12);
  return "fix_todo_" + safe + ".json";
}

FixTodo make_fix_todo(const Issue& issue, std::string_view content, int context_lines,
                      const std::vector<std::string>& verify_names) {
  const Finding& finding = issue.finding;
  FixTodo todo;
  todo.issue_code = issue.code;
  todo.issue_id = issue.id;
  todo.file = finding.file;
  todo.line = finding.line;
  todo.title = finding.title;
  todo.description = finding.description;
  todo.clarifications = answers_of(issue);
  if (!content.empty()) todo.snippet = excerpt(content, finding.line, finding.line_end, context_lines);
  for (const std::string& file : finding.related_files)
    todo.related_files.push_back({file, "named by the reviewer"});
  todo.steps = first_steps(issue);
  todo.estimated_lines_changed = std::min(workload_points(finding) * 3, 10'000);
  for (const std::string& note : finding.annotations) todo.risks.push_back(note);
  todo.verification = verify_names.empty() ? "No checks are configured: show that the problem is gone"
                                           : "These checks must pass: " + join(verify_names, ", ");
  return todo;
}

MasterTodo make_master_todo(const std::string& session_id, const std::string& branch,
                            const std::vector<PlanStep>& steps, const fs::path& directory) {
  MasterTodo todo;
  todo.session_id = session_id;
  todo.branch_name = branch;
  for (const PlanStep& step : steps) {
    MasterTodo::Step made{static_cast<int>(todo.steps.size()) + 1, step.reason, {}};
    for (const std::string& code : step.codes)
      made.issues.push_back({code, (directory / fix_todo_name(code)).string(), "fixer-single"});
    todo.steps.push_back(std::move(made));
  }
  return todo;
}

std::vector<PlanStep> steps_of(const MasterTodo& todo) {
  std::vector<PlanStep> steps;
  for (const MasterTodo::Step& step : todo.steps) {
    PlanStep made{{}, step.reason};
    for (const MasterTodo::Item& item : step.issues) made.codes.push_back(item.code);
    steps.push_back(std::move(made));
  }
  return steps;
}

Result<fs::path> write_plan_files(const fs::path& directory, const PlanFiles& files) {
  for (const FixTodo& todo : files.todos)
    TRY(write_file(directory / fix_todo_name(todo.issue_code), dump_json(to_json(todo), 2) + "\n"));
  const fs::path master = directory / "master_todo.json";
  TRY(write_file(master, dump_json(to_json(files.master), 2) + "\n"));
  return master;
}

Result<PlanFiles> read_plan_files(const fs::path& master) {
  TRY_ASSIGN(const Json json, read_json(master));
  PlanFiles files;
  auto read = master_todo_from_json(json);
  if (!read) return fail(std::move(read).error().with_context(master.string()));
  files.master = *std::move(read);
  for (const MasterTodo::Step& step : files.master.steps)
    for (const MasterTodo::Item& item : step.issues) {
      TRY_ASSIGN(FixTodo todo, read_todo(item, master.parent_path()));
      files.todos.push_back(std::move(todo));
    }
  return files;
}

} // namespace emend
