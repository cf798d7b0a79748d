// Sends the traces of sessions that have ended to a collector of OpenTelemetry, by OTLP over HTTP in JSON.
// Off unless the variables of OpenTelemetry name one. A collector that is away costs the trace, never the
// session.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "ports/messenger.hpp"
#include "ports/store.hpp"
#include "service/session_trace.hpp"

namespace emend {

struct TraceSettings {
  std::string url; // where traces are posted; empty = nowhere
  std::string ca_file;
  std::vector<std::string> headers; // "Name: value"
  TraceResource resource;
};
// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, else OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces; ..._HEADERS,
// ..._CERTIFICATE, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER.
[[nodiscard]] TraceSettings trace_settings(const std::vector<std::string>& environment,
                                           const std::string& version);

// What is stored of a session, as far as a trace shows it.
[[nodiscard]] Result<TraceSource> trace_source(Store& store, const std::string& session_id);

// Safe to use from many threads.
class TraceExporter {
public:
  // The store outlives it.
  TraceExporter(TraceSettings settings, Store& store, std::unique_ptr<Messenger> messenger);
  TraceExporter(const TraceExporter&) = delete;
  TraceExporter& operator=(const TraceExporter&) = delete;
  ~TraceExporter(); // waits some seconds for what is not sent yet

  // Exports the session that this event is the end of; others say nothing to it.
  void see(const Event& event);

private:
  void run(const std::stop_token& stop);
  [[nodiscard]] Status send(const std::string& session_id, const std::stop_token& stop);

  const TraceSettings settings_;
  Store& store_;
  const std::unique_ptr<Messenger> messenger_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::string> sessions_;
  bool busy_ = false;
  std::jthread thread_; // last: ends first
};

} // namespace emend
