#include <algorithm>

#include "api/fetch_jobs.hpp"
#include "api/fields.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "base/strings.hpp"
#include "service/trusting.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxBlobBytes = 4'000'000;

using Teams = TeamOfRepository;

Json to_json(const ServedRepository& repository, const Teams& teams) {
  const auto team = teams.find(repository.id);
  return {{"id", repository.id},
          {"name", repository.name},
          {"path", repository.root},
          {"team", team == teams.end() ? Json(nullptr) : Json(team->second)},
          {"added_at", rfc3339_utc(repository.added_ms)}};
}

Result<Json> shown(const ApiParts& parts, const ServedRepository& repository) {
  TRY_ASSIGN(const Teams teams, parts.repositories.teams());
  return to_json(repository, teams);
}

bool is_plain_line(const std::string& text) {
  return clean_text(text) == text && trim(text) == text && text.find_first_of("\n\r\t") == std::string::npos;
}

Result<HttpReply> list(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const auto all, listed_repositories(parts, call));
  TRY_ASSIGN(const Teams teams, parts.repositories.teams());
  Json data = Json::array();
  for (const ServedRepository& repository : all) data.push_back(to_json(repository, teams));
  return json_response(200, {{"data", std::move(data)}, {"next_cursor", nullptr}});
}

Result<HttpReply> add(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string path = fields.text_or("path", "", 4'096), url = fields.text_or("url", "", 4'096);
  if (path.empty() == url.empty()) fields.refuse("path", "is missing; or give a url, and not both");
  if (!path.empty() && path.front() != '/') fields.refuse("path", "must be absolute");
  if (const std::string wrong = url.empty() ? "" : clone_url_problem(url); !wrong.empty())
    fields.refuse("url", wrong);
  if (!url.empty() && !parts.fetching.clone) fields.refuse("url", "nothing is cloned here; give a path");
  if (auto problem = fields.problems()) return *problem;
  if (!url.empty()) {
    TRY_ASSIGN(const std::string job, add_clone_job(parts, url, call.caller.actor));
    return json_response(202, {{"job_id", job}});
  }
  TRY_ASSIGN(const ServedRepository added, parts.repositories.add(path));
  TRY(note_deed(parts, call, "repository.added", added.id, added.root));
  TRY_ASSIGN(Json body, shown(parts, added));
  HttpResponse response = json_response(201, std::move(body));
  response.headers.push_back({"Location", "/api/repositories/" + added.id});
  return response;
}

Result<HttpReply> get(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const ServedRepository repository, parts.repositories.find(call.parameter("id")));
  TRY_ASSIGN(Json body, shown(parts, repository));
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(repository.id));
  body["warnings"] = bench->repository().warnings();
  const auto head = bench->repository().resolve("HEAD");
  body["head"] = head ? Json(*head) : Json(nullptr);
  TRY_ASSIGN(const auto files, bench->command_files("HEAD"));
  Json asks = Json::array();
  for (const CommandFile& file : files)
    asks.push_back({{"path", file.path},
                    {"sha256", file.sha256},
                    {"wants", file.wants},
                    {"trusted", file.trusted},
                    {"trusted_before", file.trusted_before}});
  body["command_files"] = std::move(asks);
  return json_response(200, body);
}

// Its place and its team are not only about this repository.
std::optional<HttpResponse> may_settle(const Call& call) {
  if (call.caller.rights.may(Role::administer, kEverywhere)) return std::nullopt;
  return problem_response(403, "role-missing",
                          "you need the role administer for all repositories to change path or team");
}

Result<HttpReply> change(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::string name = fields.text_or("name", "", 200), path = fields.text_or("path", "", 4'096),
                    team = fields.text_or("team", "", 100);
  const bool names_team = call.body.contains("team");
  if (!is_plain_line(name)) fields.refuse("name", "must be one line of plain text");
  if (!is_plain_line(team)) fields.refuse("team", "must be one line of plain text");
  if (!path.empty() && path.front() != '/') fields.refuse("path", "must be absolute");
  if (name.empty() && path.empty() && !names_team) fields.refuse("name", "is missing");
  if (auto problem = fields.problems()) return *problem;
  if (!path.empty() || names_team)
    if (auto refused = may_settle(call)) return *refused;
  TRY_ASSIGN(ServedRepository known, parts.repositories.find(call.parameter("id")));
  if (!path.empty()) {
    TRY_ASSIGN(known, parts.repositories.move(known.id, path));
    TRY(note_deed(parts, call, "repository.moved", known.id, known.root));
  }
  if (!name.empty()) {
    TRY_ASSIGN(known, parts.repositories.rename(known.id, name));
    TRY(note_deed(parts, call, "repository.renamed", known.id, name));
  }
  if (names_team) {
    TRY(parts.repositories.set_team(known.id, team));
    TRY(parts.queue.look_at_teams());
    TRY(note_deed(parts, call, "repository.team", known.id, team));
  }
  TRY_ASSIGN(Json body, shown(parts, known));
  return json_response(200, body);
}

Result<HttpReply> forget(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const ServedRepository known, parts.repositories.find(call.parameter("id")));
  TRY(parts.repositories.forget(known.id));
  TRY(note_deed(parts, call, "repository.forgotten", known.id, known.root));
  return HttpResponse{204, {}, ""};
}

// The versions that were shown, by their hashes, and no others.
Result<HttpReply> trust(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  const std::vector<std::string> hashes = fields.texts("sha256", true);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(call.parameter("id")));
  TRY_ASSIGN(const auto files, bench->command_files("HEAD"));
  std::vector<CommandFile> shown;
  for (const std::string& hash : hashes) {
    const auto known = std::find_if(files.begin(), files.end(),
                                    [&](const CommandFile& file) { return file.sha256 == hash; });
    if (known == files.end())
      return problem_response(409, "conflict", "no file has this hash now; read the repository again");
    shown.push_back(*known);
  }
  TRY(allow_files(bench->ports(call.caller.actor), shown));
  return get(parts, call);
}

Result<std::string> commit_of(Workbench& bench, const Call& call) {
  const std::string rev(call.request.query_value("rev").value_or("HEAD"));
  auto commit = bench.repository().resolve(rev);
  if (!commit) return fail(ErrorCode::not_found, "there is no commit " + rev);
  return commit;
}

// Each of them, whatever the case of ASCII letters.
bool has_words(std::string_view path, const std::vector<std::string>& words) {
  const std::string low = to_lower(path);
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return contains(low, word); });
}

// What git has at that commit, never the disk: no path a client sends is ever opened.
Result<HttpReply> files(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(call.parameter("id")));
  TRY_ASSIGN(const std::string commit, commit_of(*bench, call));
  TRY_ASSIGN(const Tree* tree, bench->repository().tree(commit));
  const std::string below(call.request.query_value("path").value_or(""));
  const std::string prefix = below.empty() ? "" : below + "/";
  TRY_ASSIGN(const std::size_t size, page_size(call.request, 200, 1'000));
  const std::string after(call.request.query_value("cursor").value_or(""));
  const std::vector<std::string> words = split(to_lower(call.request.query_value("q").value_or("")), ' ');
  Json data = Json::array();
  std::string next;
  for (auto entry = tree->upper_bound(std::max(after, prefix));
       entry != tree->end() && entry->first.starts_with(prefix); ++entry) {
    if (!has_words(entry->first, words)) continue;
    if (data.size() == size) {
      next = data.back().at("path").get<std::string>();
      break;
    }
    data.push_back({{"path", entry->first}, {"size", entry->second.size}, {"mode", entry->second.mode}});
  }
  return page_response(call.request, std::move(data), next);
}

// A file of a commit, as a request names them.
struct Place {
  std::string commit, path, bytes;
};

Result<Place> place_of(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(Workbench * bench, parts.repositories.bench(call.parameter("id")));
  Place place;
  TRY_ASSIGN(place.commit, commit_of(*bench, call));
  place.path = call.request.query_value("path").value_or("");
  TRY_ASSIGN(const Tree* tree, bench->repository().tree(place.commit));
  const auto entry = tree->find(place.path);
  if (entry == tree->end()) return fail(ErrorCode::not_found, "there is no such file in that commit");
  if (entry->second.size > kMaxBlobBytes) return fail(ErrorCode::limit, "the file is too large to show");
  TRY_ASSIGN(place.bytes, bench->repository().read(place.commit, place.path));
  return place;
}

Result<HttpReply> blob(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const Place place, place_of(parts, call));
  const auto start = parse_unsigned(call.request.query_value("start").value_or("1")),
             end = parse_unsigned(call.request.query_value("end").value_or("1000000000"));
  if (!start || !end || *start < 1 || *end < *start)
    return problem_response(422, "validation-failed", "start and end are line numbers from 1");
  Json lines = Json::array();
  const auto all = lines_of(place.bytes);
  for (std::size_t line = *start; line <= std::min<std::size_t>(*end, all.size()); ++line)
    lines.push_back(clean_text(all[line - 1]));
  return tagged_response(call.request, {{"path", place.path},
                                        {"commit", place.commit},
                                        {"start", *start},
                                        {"total_lines", all.size()},
                                        {"lines", std::move(lines)}});
}

// By its own first bytes, whatever it is called. No SVG: it can hold scripts.
std::string_view image_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
  if (bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a")) return "image/gif";
  if (bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP")) return "image/webp";
  return "";
}

Result<HttpReply> image(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const Place place, place_of(parts, call));
  const std::string_view type = image_type(place.bytes);
  if (type.empty())
    return problem_response(422, "validation-failed", "the file is no PNG, JPEG, GIF or WebP");
  return HttpResponse{200, {{"Content-Type", std::string(type)}}, place.bytes};
}

} // namespace

std::vector<Operation> repository_operations(const ApiParts& parts) {
  return {
      {"GET", "/api/repositories", "listRepositories",
       [&parts](const Call& call) { return list(parts, call); }},
      {"POST", "/api/repositories", "addRepository", [&parts](const Call& call) { return add(parts, call); },
       Admission::member, BodyKind::json},
      {"GET", "/api/repositories/{id}", "getRepository",
       [&parts](const Call& call) { return get(parts, call); }},
      {"PATCH", "/api/repositories/{id}", "renameRepository",
       [&parts](const Call& call) { return change(parts, call); }, Admission::member, BodyKind::json},
      {"DELETE", "/api/repositories/{id}", "forgetRepository",
       [&parts](const Call& call) { return forget(parts, call); }, Admission::owner},
      {"POST", "/api/repositories/{id}/trust", "trustRepository",
       [&parts](const Call& call) { return trust(parts, call); }, Admission::member, BodyKind::json},
      {"GET", "/api/repositories/{id}/files", "listFiles",
       [&parts](const Call& call) { return files(parts, call); }},
      {"GET", "/api/repositories/{id}/blob", "getBlob",
       [&parts](const Call& call) { return blob(parts, call); }},
      {"GET", "/api/repositories/{id}/image", "getImage",
       [&parts](const Call& call) { return image(parts, call); }},
  };
}

} // namespace emend
