// The events' structs against everything that speaks of events: what is stored, the contract, the
// documentation.
#include "model/events.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "base/files.hpp"
#include "tests/support/paths.hpp"

namespace emend {

namespace {

using namespace event_fields;

// The JSON schema of a value, as api/openapi.yaml has to say it.
template <typename T>
[[nodiscard]] Json schema_of() {
  if constexpr (Listed<T>) {
    Json object = {{"type", "object"}, {"required", Json::array()}, {"properties", Json::object()}};
    T{}.fields([&]<typename Member>(std::string_view name, const Member&) {
      if constexpr (is_of<Member, Sometimes>) {
        object["properties"][stored_name(name)] = schema_of<typename Member::value_type>();
      } else {
        object["required"].push_back(stored_name(name));
        object["properties"][stored_name(name)] = schema_of<Member>();
      }
    });
    return object;
  } else if constexpr (is_of<T, std::optional>) {
    Json inner = schema_of<typename T::value_type>();
    inner["type"] = Json::array({inner["type"], "null"});
    return inner;
  } else if constexpr (is_of<T, std::vector>) {
    return {{"type", "array"}, {"items", schema_of<typename T::value_type>()}};
  } else if constexpr (is_of<T, std::map>) {
    return {{"type", "object"}, {"additionalProperties", schema_of<typename T::mapped_type>()}};
  } else if constexpr (std::is_same_v<T, Json>) {
    return {{"type", "object"}};
  } else {
    return {{"type", is_text<T>                ? "string"
                     : std::is_same_v<T, bool> ? "boolean"
                     : std::is_integral_v<T>   ? "integer"
                                               : "number"}};
  }
}

template <typename... All>
void for_each_event(const auto& visit, const std::tuple<All...>*) {
  (visit(All{}), ...);
}
void for_each_event(const auto& visit) { for_each_event(visit, static_cast<const AllEvents*>(nullptr)); }

std::string page(const std::string& path) { return read_file(fs::path(EMEND_SOURCE_DIR) / path).value(); }

const Json& contract() {
  static const Json schemas = parse_json(page("api/openapi.json")).value().at("components").at("schemas");
  return schemas;
}

// Members of every event in a stream, which need not be said again.
bool of_all(const std::string& name) {
  return contract().at("Event").at("properties").contains(name) || name == "type";
}

// Types and names only: the contract may also have descriptions and sets of values.
Json bare(Json schema) {
  while (schema.contains("$ref")) {
    const std::string ref = schema.at("$ref").get<std::string>();
    schema = Json(contract().at(ref.substr(ref.rfind('/') + 1)));
  }
  Json kept = {{"type", schema.at("type")}};
  if (schema.contains("items")) kept["items"] = bare(schema.at("items"));
  if (schema.contains("additionalProperties") && schema.at("additionalProperties").is_object())
    kept["additionalProperties"] = bare(schema.at("additionalProperties"));
  std::set<std::string> required;
  if (schema.contains("required"))
    for (const Json& name : schema.at("required")) required.insert(name.get<std::string>());
  if (schema.contains("properties"))
    for (const auto& [name, member] : schema.at("properties").items())
      kept["members"][name] = {bare(member), required.contains(name) ? "always" : "sometimes"};
  return kept;
}

template <typename E>
Json without_common(const E&, Json schema) {
  const Json members = schema.value("members", Json::object());
  for (const auto& [name, member] : members.items())
    if (of_all(name) && !schema_of<E>().at("properties").contains(name)) schema.at("members").erase(name);
  return schema;
}

std::set<std::string> types() {
  std::set<std::string> all;
  for_each_event([&](const auto& event) { all.emplace(event.type); });
  return all;
}

template <typename E>
std::string stored(const E& told) {
  return dump_json(make_event("s", "BE-001", told).data);
}

} // namespace

TEST(Events, HaveTypesOfTheirOwn) { EXPECT_EQ(types().size(), std::tuple_size_v<AllEvents>); }

TEST(Events, AreStoredWithTheMembersTheyAlwaysHad) {
  EXPECT_EQ(
      stored(FixIssueCompleted{"FAILED", "budget", "used up", {}, {}, {}}),
      R"({"status":"FAILED","reason":"budget","detail":"used up","score":null,"evidence":null,"commit":null})");
  EXPECT_EQ(
      stored(FixIssueCompleted{"RESOLVED", "fixed", "", 97, "unbroken", "abc",
                               std::vector<std::string>{"shown"}}),
      R"({"status":"RESOLVED","reason":"fixed","detail":"","score":97,"evidence":"unbroken","commit":"abc","marks":["shown"]})");
  EXPECT_EQ(stored(FixSessionCancelled{{}, {}, {}, true}), R"({"partial":true})");
  EXPECT_EQ(stored(FixSessionCancelled{"why", "cancelled", true, true}),
            R"({"message":"why","status":"cancelled","resumable":true,"partial":true})");
  EXPECT_EQ(stored(FixSessionError{"no", "do this", "error", false, {}}),
            R"({"message":"no","remedy":"do this","status":"error","resumable":false})");
  EXPECT_EQ(stored(IssueUpdated{"OPEN", "reopened", "again", {}, {}, {}, {}}),
            R"({"status":"OPEN","reason":"reopened","detail":"again"})");
  EXPECT_EQ(stored(ReviewCompleted{3, 1, 9}), R"({"issues":3,"new":1,"files":9})");
  EXPECT_EQ(stored(IssueCommented{"id", "text", {}, 7, "new", "2026-01-01T00:00:00Z"}),
            R"({"id":"id","text":"text","file":null,"line":7,"side":"new","at":"2026-01-01T00:00:00Z"})");
  EXPECT_EQ(stored(FixVerificationResult{"alone", false, {{"unit", "failed", 1, 20, true}}}),
            R"({"kind":"alone","passed":false,"commands":[{"name":"unit","result":"failed","exit_code":1,)"
            R"("duration_ms":20,"failed_before":true}]})");
  EXPECT_EQ(
      stored(FixChallengerResult{
          true, 90, "", "ok", "fine", {{"style", 80}}, {"a"}, 95, true, Text("gemini"), {}}),
      R"({"valid":true,"score":90,"problem":"","status":"ok","feedback":"fine","quality_scores":{"style":80},)"
      R"("improvements_needed":["a"],"threshold":95,"independent":true,"agent":"gemini"})");
  EXPECT_EQ(stored(FixSessionInterrupted{"why", true, true}),
            R"({"message":"why","resumable":true,"partial":true})");
}

TEST(Events, AreReadAsTheyWereWritten) {
  for_each_event([](const auto& event) {
    using E = std::decay_t<decltype(event)>;
    const Event written = make_event("s", "", event);
    const auto again = event_as<E>(written);
    ASSERT_TRUE(again) << E::type;
    EXPECT_EQ(json_of(*again), written.data) << E::type;
  });
  const FixRescanResult result{1, 2, {{"ruff", "E1", "a.py", 3, "low"}}, {{"ruff", "1.0", "done"}}, 40};
  EXPECT_EQ(stored(*event_as<FixRescanResult>(make_event("s", "", result))), stored(result));
  EXPECT_FALSE(event_as<FixNotice>(make_event("s", "", result)));
}

TEST(Events, OfOtherVersionsKeepWhatCanBeRead) {
  Event event = make_event("s", "", FixCycleStarted{});
  for (const Json& data :
       {Json(nullptr), Json(3), Json::array({1}), Json{{"cycle", "x"}, {"max_cycles", 1.5}}}) {
    event.data = data;
    const auto told = event_as<FixCycleStarted>(event);
    ASSERT_TRUE(told);
    EXPECT_EQ(told->cycle + told->max_cycles, 0);
  }
  event = make_event("s", "", FixVerificationResult{});
  event.data = {{"kind", 3}, {"commands", {{{"name", "unit"}, {"later", true}}, 7}}};
  const auto told = event_as<FixVerificationResult>(event);
  ASSERT_EQ(told->commands.size(), 1U);
  EXPECT_EQ(told->commands[0].name, "unit");
  EXPECT_EQ(told->kind, "");
}

TEST(Events, AreWhatTheContractSays) {
  std::set<std::string> named;
  for (const auto& [type, ref] : contract().at("Events").at("properties").items()) named.insert(type);
  EXPECT_EQ(named, types()) << "api/openapi.yaml, schema Events";
  for_each_event([](const auto& event) {
    using E = std::decay_t<decltype(event)>;
    const std::string ref =
        contract().at("Events").at("properties").at(std::string(E::type)).at("$ref").get<std::string>();
    const Json& parts = contract().at(ref.substr(ref.rfind('/') + 1)).at("allOf");
    EXPECT_EQ(parts.at(0).at("$ref"), "#/components/schemas/Event") << E::type;
    EXPECT_EQ(without_common(event, bare(parts.at(1))), bare(schema_of<E>()))
        << "api/openapi.yaml and src/model/events.hpp differ in " << E::type;
  });
}

// Streams name the schemas of what may come by the type: each has to be that type's own.
TEST(Events, OfStreamsHaveTheirOwnSchema) {
  const std::string text = page("api/openapi.yaml");
  const std::regex row("\\n +(\\w+): \\{\\$ref: \"#/components/schemas/(\\w+)\"\\}(?=\\n)");
  int seen = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), row), end; it != end; ++it) {
    if (!types().contains((*it)[1])) continue;
    ++seen;
    EXPECT_EQ(contract().at("Events").at("properties").at((*it)[1].str()).at("$ref").get<std::string>(),
              "#/components/schemas/" + (*it)[2].str());
  }
  EXPECT_GT(seen, static_cast<int>(std::tuple_size_v<AllEvents>));
}

// What generators of clients see of a stream: a union that is told apart by the event's name.
TEST(Events, AreFramesOfTheStreams) {
  std::map<std::string, Json> frames;
  for (const Json& frame : contract().at("StreamFrame").at("oneOf")) {
    const Json& members = frame.at("properties");
    frames[members.at("event").at("const").get<std::string>()] = members.at("data");
  }
  for (const auto& [type, ref] : contract().at("Events").at("properties").items())
    EXPECT_EQ(frames[type], ref) << "api/openapi.yaml, schema StreamFrame: " << type;
}

TEST(Events, AreAllDocumented) {
  const std::string text = page("docs/events.md");
  const std::regex row("\\n\\| (`[^|]+) \\|"), name("`(\\w+)`");
  std::set<std::string> named;
  for (std::sregex_iterator it(text.begin(), text.end(), row), end; it != end; ++it) {
    const std::string cell = (*it)[1];
    for (std::sregex_iterator one(cell.begin(), cell.end(), name); one != end; ++one) named.insert((*one)[1]);
  }
  EXPECT_EQ(named, types());
}

} // namespace emend
