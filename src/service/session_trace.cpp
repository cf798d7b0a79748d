#include "service/session_trace.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

constexpr int kInternal = 1, kClient = 3; // kinds of spans
constexpr int kOk = 1, kError = 2;        // codes of a status

Json text_attribute(const std::string& key, const std::string& value) {
  return {{"key", key}, {"value", {{"stringValue", clean_text(value)}}}};
}
Json number_attribute(const std::string& key, std::int64_t value) {
  return {{"key", key}, {"value", {{"intValue", std::to_string(value)}}}};
}
Json decimal_attribute(const std::string& key, double value) {
  return {{"key", key}, {"value", {{"doubleValue", value}}}};
}
Json flag_attribute(const std::string& key, bool value) {
  return {{"key", key}, {"value", {{"boolValue", value}}}};
}

std::string nanoseconds(std::int64_t ms) { return std::to_string(std::max<std::int64_t>(ms, 0)) + "000000"; }

// An id is made of what it names: sent twice, it is the same span.
std::string span_id(const std::string& session, const std::string& what) {
  return sha256_hex("span\n" + session + "\n" + what).substr(0, 16);
}

struct Span {
  std::string id, parent, name;
  int kind = kInternal;
  std::int64_t begin_ms = 0, end_ms = 0;
  Json attributes = Json::array();
  int status = 0; // 0 = nothing is said
  std::string problem;
};

class SessionTrace {
public:
  explicit SessionTrace(const TraceSource& source)
      : source_(source),
        id_(source.session.id),
        root_(span_id(id_, "session")),
        codes_(source.issue_codes.begin(), source.issue_codes.end()) {}

  Json spans() {
    add_session();
    add_issues();
    for (const AgentRunRecord& run : source_.agent_runs) add_run(run);
    for (const Verification& checks : source_.verifications) add_checks(checks);
    return std::move(list_);
  }

private:
  void add(const Span& span) {
    Json json = {{"traceId", sha256_hex("trace\n" + id_).substr(0, 32)}, {"spanId", span.id}};
    if (!span.parent.empty()) json["parentSpanId"] = span.parent;
    json["name"] = span.name;
    json["kind"] = span.kind;
    json["startTimeUnixNano"] = nanoseconds(span.begin_ms);
    json["endTimeUnixNano"] = nanoseconds(std::max(span.begin_ms, span.end_ms));
    json["attributes"] = span.attributes;
    if (span.status != 0) json["status"] = {{"code", span.status}};
    if (!span.problem.empty()) json["status"]["message"] = clean_text(span.problem);
    list_.push_back(std::move(json));
  }

  void add_session() {
    const Session& session = source_.session;
    Span span{root_, "", "session", kInternal, session.started_ms, session.updated_ms};
    if (!source_.events.empty()) span.end_ms = std::max(span.end_ms, source_.events.back().time_ms);
    span.attributes = {
        text_attribute("emend.session.id", id_), text_attribute("emend.repository.id", session.repository_id),
        text_attribute("emend.session.status", std::string(to_string(session.status))),
        text_attribute("vcs.ref.base.revision", session.base),
        number_attribute("emend.session.issues", static_cast<std::int64_t>(session.issue_ids.size()))};
    span.status = session.status == SessionStatus::error ? kError : kOk;
    add(span);
  }

  [[nodiscard]] std::string issue_span(const std::string& code) const {
    return span_id(id_, "issue " + code);
  }
  // Of the issue, if it is one and has a span.
  [[nodiscard]] std::string parent_of(const std::vector<std::string>& issue_ids) const {
    if (issue_ids.size() != 1) return root_;
    const auto code = codes_.find(issue_ids.front());
    return code != codes_.end() && seen_.contains(code->second) ? issue_span(code->second) : root_;
  }

  // From its first beginning to its last end; the decision is a moment.
  void add_issues() {
    std::map<std::string, std::pair<Event, FixIssueCompleted>> ends;
    for (const Event& event : source_.events) {
      if (is<FixIssueStarted>(event)) seen_.emplace(event.issue_code, event.time_ms);
      if (const auto end = event_as<FixIssueCompleted>(event))
        ends.insert_or_assign(event.issue_code, std::pair(event, *end));
    }
    for (const auto& [code, end] : ends) seen_.emplace(code, end.first.time_ms);
    for (const auto& [code, begin_ms] : seen_) {
      const auto end = ends.find(code);
      Span span{
          issue_span(code), root_,
          "issue " + code,  kInternal,
          begin_ms,         end == ends.end() ? source_.events.back().time_ms : end->second.first.time_ms};
      span.attributes.push_back(text_attribute("emend.issue.code", code));
      if (end != ends.end()) describe(end->second.second, span);
      add(span);
      if (end == ends.end()) continue;
      Span gate{span_id(id_, "gate " + code), span.id, "gate", kInternal, span.end_ms, span.end_ms};
      describe(end->second.second, gate);
      add(gate);
    }
  }

  static void describe(const FixIssueCompleted& end, Span& span) {
    span.attributes.push_back(text_attribute("emend.issue.status", end.status));
    if (!end.reason.empty()) span.attributes.push_back(text_attribute("emend.issue.reason", end.reason));
    if (end.evidence) span.attributes.push_back(text_attribute("emend.issue.evidence", *end.evidence));
    if (end.score) span.attributes.push_back(number_attribute("emend.issue.score", *end.score));
    if (end.commit) span.attributes.push_back(text_attribute("vcs.ref.head.revision", *end.commit));
    span.status = end.status == "RESOLVED" ? kOk : 0;
  }

  // As the conventions for generative AI name its parts.
  void add_run(const AgentRunRecord& run) {
    Span span{span_id(id_, "run " + run.id),
              parent_of(run.issue_ids),
              "invoke_agent " + run.agent,
              kClient,
              run.started_ms,
              run.started_ms + run.duration_ms};
    span.attributes = {text_attribute("gen_ai.operation.name", "invoke_agent"),
                       text_attribute("gen_ai.agent.name", run.agent),
                       text_attribute("gen_ai.provider.name", run.family.empty() ? "unknown" : run.family),
                       text_attribute("gen_ai.request.model", run.model),
                       number_attribute("gen_ai.usage.input_tokens", run.usage.input_tokens),
                       number_attribute("gen_ai.usage.output_tokens", run.usage.output_tokens),
                       text_attribute("emend.run.id", run.id),
                       text_attribute("emend.role", run.role),
                       text_attribute("emend.run.state", std::string(to_string(run.state.status)))};
    if (!run.conversation_id.empty())
      span.attributes.push_back(text_attribute("gen_ai.conversation.id", run.conversation_id));
    if (run.usage.cost_usd)
      span.attributes.push_back(decimal_attribute("emend.cost_usd", *run.usage.cost_usd));
    span.status = run.state.ok() ? kOk : kError;
    if (!run.state.ok()) {
      const std::string state(to_string(run.state.status));
      span.attributes.push_back(text_attribute("error.type", state));
    }
    add(span);
  }

  void add_checks(const Verification& checks) {
    const std::string kind(to_string(checks.kind));
    Span span{span_id(id_, "checks " + checks.id),
              parent_of(checks.issue_id.empty() ? Texts{} : Texts{checks.issue_id}),
              "verify " + kind,
              kInternal,
              checks.started_ms,
              checks.started_ms + checks.duration_ms};
    span.attributes = {text_attribute("emend.verify.kind", kind)};
    for (const CommandRun& run : checks.commands) {
      const std::string key = "emend.check." + clean_text(run.name);
      span.attributes.push_back(text_attribute(key + ".result", std::string(to_string(run.result))));
      span.attributes.push_back(number_attribute(key + ".duration_ms", run.duration_ms));
    }
    span.attributes.push_back(flag_attribute(
        "emend.verify.passed", std::all_of(checks.commands.begin(), checks.commands.end(),
                                           [](const CommandRun& run) { return run.passed(); })));
    add(span);
  }

  const TraceSource& source_;
  const std::string id_, root_;
  const std::map<std::string, std::string> codes_; // by issue id
  std::map<std::string, std::int64_t> seen_;       // codes of issues with a span, and when it begins
  Json list_ = Json::array();
};

} // namespace

Json session_trace(const TraceSource& source, const TraceResource& resource) {
  Json attributes = Json::array({text_attribute("service.name", resource.service_name),
                                 text_attribute("service.version", resource.version)});
  for (const auto& [key, value] : resource.attributes) attributes.push_back(text_attribute(key, value));
  Json scope = {{"scope", {{"name", "emend"}, {"version", resource.version}}},
                {"spans", SessionTrace(source).spans()}};
  return {{"resourceSpans", Json::array({{{"resource", {{"attributes", std::move(attributes)}}},
                                          {"scopeSpans", Json::array({std::move(scope)})}}})}};
}

} // namespace emend
