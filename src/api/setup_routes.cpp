// The first configuration of a repository: what `emend init` asks in a terminal.
#include <algorithm>

#include "api/fields.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "service/project_setup.hpp"

namespace emend {

namespace {

Result<Detected> guesses(const ApiParts& parts, Workbench& bench) {
  return guess_commands({bench.repository(), *parts.dependencies.processes, bench.environment()});
}

Result<HttpReply> show(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(call.parameter("id")));
  TRY_ASSIGN(const Detected found, guesses(parts, *bench));
  const std::string there = existing_config(bench->repository().root());
  Json body = to_json(found);
  body["config"] = there.empty() ? Json(nullptr) : Json(there);
  body["text"] = config_file_text(found);
  return json_response(200, body);
}

// Of the guesses only the named ones run; the others stay in the file as comments.
void use_only(Detected& found, const std::vector<std::string>& names) {
  for (CommandGuess& guess : found.commands)
    if (std::find(names.begin(), names.end(), guess.name) == names.end() && guess.not_used.empty())
      guess.not_used = "you said no";
}

bool knows(const Detected& found, const std::string& name) {
  return std::any_of(found.commands.begin(), found.commands.end(),
                     [&](const CommandGuess& guess) { return guess.name == name && guess.not_used.empty(); });
}

// The file is written; nothing in it may run before somebody allows it.
Result<HttpReply> set_up(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::vector<std::string> use = fields.texts("use", false);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(call.parameter("id")));
  TRY_ASSIGN(Detected found, guesses(parts, *bench));
  for (const std::string& name : use)
    if (!knows(found, name))
      return problem_response(409, "conflict", "no check is called " + name + " now; read the list again");
  use_only(found, use);
  TRY_ASSIGN(const std::string path, write_first_config(bench->repository().root(), config_file_text(found)));
  TRY(note_deed(parts, call, "repository.set_up", call.parameter("id"), path));
  return json_response(201, {{"path", path}});
}

} // namespace

std::vector<Operation> setup_operations(const ApiParts& parts) {
  return {
      {"GET", "/api/repositories/{id}/setup", "getSetup",
       [&parts](const Call& call) { return show(parts, call); }},
      {"POST", "/api/repositories/{id}/setup", "setUpRepository",
       [&parts](const Call& call) { return set_up(parts, call); }, Admission::member, BodyKind::json},
  };
}

} // namespace emend
