#include "service/trace_exporter.hpp"

#include <algorithm>
#include <set>

#include "base/environment.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

constexpr int kTries = 3;
constexpr std::chrono::seconds kLastWait(5);
constexpr std::size_t kPage = 1'000, kMostWaiting = 1'000;

// Values of these lists are percent-encoded.
std::string decoded(std::string_view text) {
  const auto digit = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool coded =
        text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    plain += coded ? static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])) : text[i];
    if (coded) i += 2;
  }
  return plain;
}

// "a=b,c=d"
std::vector<std::pair<std::string, std::string>> pairs_of(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) continue;
    std::string key = decoded(trim(part.substr(0, equals))), value = decoded(trim(part.substr(equals + 1)));
    const bool fits = !key.empty() && (key + value).find_first_of("\r\n") == std::string::npos;
    if (fits) pairs.emplace_back(std::move(key), std::move(value));
  }
  return pairs;
}

std::string either(const std::vector<std::string>& environment, const std::string& of_traces,
                   const std::string& of_all) {
  const std::string own = variable(environment, of_traces);
  return own.empty() ? variable(environment, of_all) : own;
}

bool ends(const Event& event) {
  if (is<FixSessionCompleted>(event)) return true;
  if (const auto error = event_as<FixSessionError>(event)) return error->status == "error";
  const auto cancelled = event_as<FixSessionCancelled>(event);
  return cancelled && cancelled->status.has_value();
}

} // namespace

TraceSettings trace_settings(const std::vector<std::string>& environment, const std::string& version) {
  TraceSettings settings;
  if (to_lower(variable(environment, "OTEL_SDK_DISABLED")) == "true" ||
      variable(environment, "OTEL_TRACES_EXPORTER") == "none")
    return settings;
  settings.url = variable(environment, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  if (std::string base = variable(environment, "OTEL_EXPORTER_OTLP_ENDPOINT");
      settings.url.empty() && !base.empty())
    settings.url = base + (base.ends_with("/") ? "" : "/") + "v1/traces";
  if (!settings.url.starts_with("https://") && !settings.url.starts_with("http://")) settings.url.clear();
  settings.ca_file =
      either(environment, "OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE", "OTEL_EXPORTER_OTLP_CERTIFICATE");
  settings.headers = {"Content-Type: application/json"};
  for (const auto& [name, value] :
       pairs_of(either(environment, "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS")))
    settings.headers.push_back(name + ": " + value);
  settings.resource.version = version;
  for (auto& [key, value] : pairs_of(variable(environment, "OTEL_RESOURCE_ATTRIBUTES"))) {
    if (key == "service.name")
      settings.resource.service_name = value;
    else if (key != "service.version")
      settings.resource.attributes.emplace_back(key, value);
  }
  if (const std::string name = variable(environment, "OTEL_SERVICE_NAME"); !name.empty())
    settings.resource.service_name = name;
  return settings;
}

Result<TraceSource> trace_source(Store& store, const std::string& session_id) {
  TraceSource source;
  TRY_ASSIGN(source.session, store.session(session_id));
  for (std::int64_t after = 0;;) {
    TRY_ASSIGN(auto events, store.events_after(after, session_id, kPage));
    if (!events.empty()) after = events.back().seq;
    const bool last = events.size() < kPage;
    std::erase_if(events, [](const Event& event) { return is<FixIssueStreaming>(event); });
    source.events.insert(source.events.end(), std::make_move_iterator(events.begin()),
                         std::make_move_iterator(events.end()));
    if (last) break;
  }
  TRY_ASSIGN(source.agent_runs, store.agent_runs(session_id));
  TRY_ASSIGN(source.verifications, store.verifications(session_id));
  for (const std::string& id : source.session.issue_ids) {
    const auto issue = store.issue(source.session.repository_id, id);
    if (issue) source.issue_codes.emplace_back(issue->id, issue->code);
  }
  return source;
}

TraceExporter::TraceExporter(TraceSettings settings, Store& store, std::unique_ptr<Messenger> messenger)
    : settings_(std::move(settings)), store_(store), messenger_(std::move(messenger)) {
  thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
}

TraceExporter::~TraceExporter() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kLastWait, [&] { return sessions_.empty() && !busy_; });
  lock.unlock();
  thread_ = {};
}

void TraceExporter::see(const Event& event) {
  if (!ends(event)) return;
  const std::lock_guard guard(mutex_);
  if (sessions_.size() < kMostWaiting) sessions_.push_back(event.session_id);
  changed_.notify_all();
}

void TraceExporter::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return !sessions_.empty(); })) {
    const std::string session_id = std::move(sessions_.front());
    sessions_.pop_front();
    busy_ = true;
    lock.unlock();
    if (const Status sent = send(session_id, stop); !sent)
      log(LogLevel::warn, "the trace of session " + session_id + " was not taken: " + sent.error().message);
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

Status TraceExporter::send(const std::string& session_id, const std::stop_token& stop) {
  TRY_ASSIGN(const TraceSource source, trace_source(store_, session_id));
  const OutgoingPost post{settings_.url, dump_json(session_trace(source, settings_.resource)),
                          settings_.headers};
  for (int tried = 1;; ++tried) {
    const auto answer = messenger_->post(post, stop);
    if (answer && answer->taken) return {};
    if (tried == kTries || (answer && answer->hopeless) || stop.stop_requested())
      return answer ? fail(ErrorCode::io, "the collector answered " + answer->answer) : fail(answer.error());
    std::unique_lock lock(mutex_);
    const auto pause =
        std::chrono::milliseconds(std::max<std::int64_t>(tried * 1'000, answer ? answer->retry_after_ms : 0));
    changed_.wait_for(lock, stop, std::min<std::chrono::milliseconds>(pause, kLastWait),
                      [] { return false; });
  }
}

} // namespace emend
