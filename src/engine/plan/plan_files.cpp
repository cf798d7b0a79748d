#include "engine/plan/plan_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/file_batch.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/prompts/prompt.hpp"
#include "model/json_fields.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kMaxFileBytes = 10'000'000;
constexpr std::int64_t kMaxNumber = 1'000'000'000;

tl::unexpected<Error> bad(const std::string& where, const std::string& what) {
  return fail(ErrorCode::usage, where + " " + what,
              "see docs/plan-files.md, or make the plan again with `emend plan`");
}

// Reads what others may have written: the first member that is missing or of another type is the problem.
class StrictReader {
public:
  // where: names the object in messages. inside: what names of objects in it begin with.
  StrictReader(const Json& object, std::string where, std::string inside, Status& problem)
      : object_(object), where_(std::move(where)), inside_(std::move(inside)), problem_(problem) {}

  void operator()(const char* key, std::string& text) {
    const auto is_text = [](const Json& json) { return json.is_string(); };
    if (const Json* found = member(key, is_text, "must be text")) text = found->get<std::string>();
  }
  void operator()(const char* key, int& number) {
    const auto is_number = [](const Json& json) { return exact_int(json, 0, kMaxNumber).has_value(); };
    if (const Json* found = member(key, is_number, "must be a whole number from 0"))
      number = found->get<int>();
  }
  void operator()(const char* key, std::vector<std::string>& texts) {
    const Json* found = list(key);
    if (found == nullptr) return;
    for (const Json& item : *found) {
      if (!item.is_string()) return refuse(key, "must be a list of texts");
      texts.push_back(item.get<std::string>());
    }
  }
  template <typename T>
  void operator()(const char* key, std::vector<T>& records) {
    const Json* found = list(key);
    for (std::size_t i = 0; found != nullptr && i < found->size(); ++i) {
      const std::string at = fmt::format("{}{}[{}]", inside_, key, i);
      StrictReader reader((*found)[i], at, at + ".", problem_);
      fields(reader, records.emplace_back());
    }
  }
  void maybe(const char* key, std::string& text) { text = string_or(object_, key); }
  template <typename Members>
  void group(const char* key, const Members& members) {
    const auto is_object = [](const Json& json) { return json.is_object(); };
    const Json* found = member(key, is_object, "must be an object");
    if (found == nullptr) return;
    StrictReader reader(*found, inside_ + key, inside_ + key + ".", problem_);
    members(reader);
  }

private:
  template <typename Fits>
  const Json* member(const char* key, const Fits& fits, const char* otherwise) {
    const Json* value = find_member(object_, key);
    if (value != nullptr && fits(*value)) return value;
    refuse(key, otherwise);
    return nullptr;
  }
  const Json* list(const char* key) {
    return member(
        key, [](const Json& json) { return json.is_array(); }, "must be a list");
  }
  void refuse(const char* key, const char* what) {
    if (problem_) problem_ = bad(where_ + "." + key, what);
  }

  const Json& object_;
  std::string where_, inside_;
  Status& problem_;
};

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

template <typename Visitor, Of<MasterTodo::Item> Record>
void fields(Visitor& visit, Record& item) {
  visit("code", item.code);
  visit("todo_file", item.todo_file);
  visit("agent_type", item.agent_type);
}

template <typename Visitor, Of<MasterTodo::Step> Record>
void fields(Visitor& visit, Record& step) {
  visit("step", step.step);
  visit("reason", step.reason);
  visit("issues", step.issues);
}

template <typename Visitor, Of<MasterTodo> Record>
void fields(Visitor& visit, Record& todo) {
  visit("session_id", todo.session_id);
  visit("branch_name", todo.branch_name);
  visit("execution_steps", todo.steps);
}

template <typename Visitor, Of<FixTodo::Answer> Record>
void fields(Visitor& visit, Record& said) {
  visit("question_id", said.question_id);
  visit("question", said.question);
  visit("answer", said.answer);
  visit("context", said.context);
}

template <typename Visitor, Of<FixTodo::Related> Record>
void fields(Visitor& visit, Record& related) {
  visit("path", related.path);
  visit("reason", related.reason);
}

template <typename Visitor, Of<FixTodo> Record>
void fields(Visitor& visit, Record& todo) {
  visit("issue_code", todo.issue_code);
  visit("issue_id", todo.issue_id);
  visit("file", todo.file);
  visit.maybe("file_id", todo.file_id); // older plans have neither this nor a description
  visit("line", todo.line);
  visit("title", todo.title);
  visit.maybe("description", todo.description);
  visit("clarifications", todo.clarifications);
  visit.group("context", [&](auto& context) {
    context("file_content_snippet", todo.snippet);
    context("related_files", todo.related_files);
    context("existing_patterns", todo.existing_patterns);
  });
  visit.group("plan", [&](auto& plan) {
    plan("approach", todo.approach);
    plan("steps", todo.steps);
    plan("estimated_lines_changed", todo.estimated_lines_changed);
    plan("risks", todo.risks);
    plan("verification", todo.verification);
  });
}

Json to_json(const MasterTodo& todo) {
  std::size_t issues = 0;
  for (const MasterTodo::Step& step : todo.steps) issues += step.issues.size();
  Json json = write_fields(todo);
  json["summary"] = {{"total_issues", issues}, {"total_steps", todo.steps.size()}};
  return json;
}

Json to_json(const FixTodo& todo) { return write_fields(todo); }

Result<MasterTodo> master_todo_from_json(const Json& json) {
  MasterTodo todo;
  int issues = 0, total_steps = 0;
  Status problem;
  StrictReader reader(json, "master_todo", "", problem);
  fields(reader, todo);
  reader.group("summary", [&](StrictReader& summary) {
    summary("total_issues", issues);
    summary("total_steps", total_steps);
  });
  TRY(problem);
  std::set<std::string> codes;
  for (std::size_t i = 0; i < todo.steps.size(); ++i) {
    const MasterTodo::Step& step = todo.steps[i];
    const std::string at = fmt::format("execution_steps[{}]", i);
    if (step.step != static_cast<int>(i) + 1)
      return bad(at + ".step", fmt::format("must be {}: steps are numbered in order", i + 1));
    if (step.issues.empty()) return bad(at + ".issues", "must not be empty");
    for (const MasterTodo::Item& item : step.issues)
      if (!codes.insert(item.code).second)
        return bad(at, "names " + first_line(clean_text(item.code), 80) + " a second time");
  }
  if (issues != static_cast<int>(codes.size()) || total_steps != static_cast<int>(todo.steps.size()))
    return bad("summary", fmt::format("does not match: there are {} issues in {} steps", codes.size(),
                                      todo.steps.size()));
  return todo;
}

Result<FixTodo> fix_todo_from_json(const Json& json) {
  FixTodo todo;
  Status problem;
  StrictReader reader(json, "fix_todo", "", problem);
  fields(reader, todo);
  TRY(problem);
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
  std::vector<NamedBytes> todos;
  for (const FixTodo& todo : files.todos)
    todos.push_back({fix_todo_name(todo.issue_code), dump_json(to_json(todo), 2) + "\n"});
  TRY(write_files(directory, todos));
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
