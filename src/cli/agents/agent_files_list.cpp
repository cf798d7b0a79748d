#include "cli/agents/agent_files_list.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/agents/agent_files.hpp"
#include "cli/terminal.hpp"
#include "config/config_files.hpp"
#include "engine/agents/agent_roles.hpp"

namespace emend {

namespace {

struct FileRow {
  std::string name;
  std::string path;  // empty = built in
  std::string state; // "used", "not trusted", "not committed"
  std::string text;
  std::string problem;
};

FileRow row_of(const RepositoryAgent& agent) {
  FileRow row{agent.name, agent.path, agent.trusted ? "used" : "not trusted", agent.text, {}};
  if (const auto checked = check_agent_file(agent.path, agent.text); !checked)
    row.problem = checked.error().message;
  return row;
}

// What lies on disk and is not what the commit has: to be checked before it is committed.
std::vector<FileRow> rows_on_disk(const std::vector<RepositoryAgent>& committed) {
  std::vector<FileRow> rows;
  const fs::path folder = fs::path(find_repository_root(fs::current_path().string())) / kAgentFolder;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string file = entry.path().filename().string();
    if (!file.ends_with(".md") || file == "README.md") continue;
    auto text = read_file_nofollow(entry.path(), 256 * 1024);
    const auto same = [&](const RepositoryAgent& agent) {
      return text && agent.path.ends_with("/" + file) && agent.text == *text;
    };
    if (std::any_of(committed.begin(), committed.end(), same)) continue;
    FileRow row{file.substr(0, file.size() - 3),
                std::string(kAgentFolder) + "/" + file,
                "not committed",
                text.value_or(""),
                {}};
    const Status checked = text ? check_agent_file(row.path, row.text) : fail(text.error());
    if (!checked) row.problem = checked.error().message;
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<std::vector<FileRow>> all_rows(CommandContext& context) {
  TRY_ASSIGN(const std::vector<RepositoryAgent> own, agent_files_at(context, "HEAD"));
  std::vector<FileRow> rows;
  for (const RepositoryAgent& agent : own) rows.push_back(row_of(agent));
  const auto replaced = [&own](const std::string& name) {
    return std::any_of(own.begin(), own.end(),
                       [&](const RepositoryAgent& agent) { return agent.name == name && agent.trusted; });
  };
  for (const std::string& name : built_in_agent_files()) {
    TRY_ASSIGN(std::string text, built_in_agent_text(name));
    rows.push_back({name, "", replaced(name) ? "replaced" : "used", std::move(text), {}});
  }
  if (!context.global().isolated)
    for (FileRow& row : rows_on_disk(own)) rows.push_back(std::move(row));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const FileRow& a, const FileRow& b) { return a.name < b.name; });
  return rows;
}

Json json_of(const FileRow& row) {
  const AgentFile file = parse_agent_file(row.path, row.text).value_or(AgentFile{});
  return {{"name", row.name},
          {"origin", row.path.empty() ? "built in" : row.path},
          {"state", row.state},
          {"description", file.description},
          {"model", file.model},
          {"tools", file.tools},
          {"problem", row.problem.empty() ? Json() : Json(row.problem)}};
}

std::string table_text(const std::vector<FileRow>& rows, const Palette& palette) {
  TextTable table({"file", "origin", "state", "model", "purpose"});
  for (const FileRow& row : rows) {
    const AgentFile file = parse_agent_file(row.path, row.text).value_or(AgentFile{});
    const Tone tone = row.state == "used" ? Tone::good : row.state == "replaced" ? Tone::dim : Tone::warn;
    table.add({{one_line(row.name, 60)},
               {row.path.empty() ? "built in" : one_line(row.path, 100)},
               {row.problem.empty() ? row.state : "broken", row.problem.empty() ? tone : Tone::bad},
               {one_line(file.model, 40)},
               {row.problem.empty() ? Cell{one_line(file.description, 100)}
                                    : Cell{one_line(row.problem, 200), Tone::bad}}});
  }
  return table.render(palette);
}

bool any_in_state(const std::vector<FileRow>& rows, std::string_view state) {
  return std::any_of(rows.begin(), rows.end(), [&](const FileRow& row) { return row.state == state; });
}

Result<ExitStatus> show_one(CommandContext& context, const std::vector<FileRow>& rows,
                            const std::string& name) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const FileRow& each) {
    return each.name == name && each.state == "used";
  });
  if (row == rows.end()) {
    const auto role = agent_role(name);
    if (!role) return fail(role.error());
    return fail(ErrorCode::usage, "there is no agent file " + one_line(name, 80), "emend agents files");
  }
  if (context.global().json) {
    Json data = json_of(*row);
    data["text"] = row->text;
    context.print_json("agent_file", std::move(data));
  } else {
    context.print(row->text);
  }
  return context.finish(ExitStatus::done);
}

} // namespace

Result<ExitStatus> show_agent_files(CommandContext& context, const std::string& name) {
  TRY_ASSIGN(const std::vector<FileRow> rows, all_rows(context));
  if (!name.empty()) return show_one(context, rows, name);
  if (context.global().json) {
    Json data = Json::array();
    for (const FileRow& row : rows) data.push_back(json_of(row));
    context.print_json_list("agent_files", std::move(data));
  } else {
    context.print(table_text(rows, context.palette()));
    if (any_in_state(rows, "not trusted"))
      context.hint("commands that use an untrusted file stop. To allow the files: emend trust");
    if (any_in_state(rows, "not committed"))
      context.hint(
          "a session uses the files of the commit it starts from: commit the files that are not committed");
  }
  const bool broken =
      std::any_of(rows.begin(), rows.end(), [](const FileRow& row) { return !row.problem.empty(); });
  return context.finish(broken ? ExitStatus::usage : ExitStatus::done);
}

} // namespace emend
