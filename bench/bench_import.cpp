// How fast a SARIF file of about 100 MB becomes findings, against the floor (one pass of the parser that reads nothing) and a DOM.
#include <fmt/format.h>
#include <simdjson.h>
#include <sys/resource.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "formats/reader.hpp"

namespace emend {
namespace {

constexpr int kResults = 200'000;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

long peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

std::string make_sarif() {
  std::string text;
  text.reserve(120'000'000); // so that making it does not hide what reading it needs
  text =
      R"({"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"bench","rules":[)";
  for (int i = 0; i < 200; ++i)
    text += fmt::format(R"({}{{"id":"RULE{:03}","defaultConfiguration":{{"level":"warning"}},"properties":{{"tags":["correctness"]}}}})",
                        i == 0 ? "" : ",", i);
  text += "]}},\"results\":[";
  for (int i = 0; i < kResults; ++i) {
    text += fmt::format(
        R"({}{{"ruleId":"RULE{:03}","ruleIndex":{},"level":"warning","message":{{"text":"Value \"{}\" may be used before it is set; on the path through the loop nothing assigns it, and the caller relies on it."}},)"
        R"("locations":[{{"physicalLocation":{{"artifactLocation":{{"uri":"src/module%20{}/file{}.c","uriBaseId":"SRCROOT"}},"region":{{"startLine":{},"startColumn":5,"endLine":{},"endColumn":17}}}}}}],)"
        R"("partialFingerprints":{{"primaryLocationLineHash":"{:016x}:1"}},"properties":{{"confidence":"high","notes":["first","second"]}}}})",
        i == 0 ? "\n" : ",\n", i % 200, i % 200, i, i % 50, i % 3000, i % 900 + 1, i % 900 + 1, i * 2654435761ULL);
  }
  text += "\n]}]}\n";
  return text;
}

std::size_t stream(const std::string& text) {
  std::size_t count = 0;
  if (!stream_findings(text, InputFormat::sarif, "", "", [&](Finding&& finding) { count += finding.line > 0 ? 1 : 0; }))
    throw std::runtime_error("not read");
  return count;
}

std::size_t ondemand_pass(const std::string& text) {
  const simdjson::padded_string padded(text);
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document = parser.iterate(padded);
  std::size_t count = 0;
  for (auto run : document["runs"].get_array()) {
    for (auto result : run["results"].get_array()) count += result.value().get_object().error() == simdjson::SUCCESS ? 1 : 0;
  }
  return count;
}

std::size_t dom_pass(const std::string& text) {
  simdjson::dom::parser parser;
  const simdjson::dom::element root = parser.parse(text);
  return root["runs"].at(0)["results"].get_array().size();
}

void check(std::size_t count) {
  if (count != kResults) throw std::runtime_error(fmt::format("{} results instead of {}", count, kResults));
}

void print(const char* what, double time, double ours, std::size_t bytes) {
  fmt::print("  {:40} {:8.1f} ms  {:7.0f} MB/s   ours takes {:.2f} x as long\n", what, time * 1000, static_cast<double>(bytes) / time / 1e6,
             ours / time);
}

} // namespace

int run() {
  const std::string text = make_sarif();
  const long before = peak_mb();
  double streamed = 1e9, collected = 1e9, floor = 1e9, dom = 1e9;
  for (int round = 0; round < 3; ++round) streamed = std::min(streamed, seconds([&] { check(stream(text)); }));
  const long memory = peak_mb() - before;
  for (int round = 0; round < 2; ++round)
    collected = std::min(collected, seconds([&] { check(read_findings(text, InputFormat::sarif, "")->findings.size()); }));
  for (int round = 0; round < 3; ++round) floor = std::min(floor, seconds([&] { check(ondemand_pass(text)); }));
  for (int round = 0; round < 2; ++round) dom = std::min(dom, seconds([&] { check(dom_pass(text)); }));
  const double nlohmann = seconds([&] { check(nlohmann::json::parse(text)["runs"][0]["results"].size()); });
  fmt::print("import of {} SARIF results, {:.0f} MB\n", kResults, static_cast<double>(text.size()) / 1e6);
  fmt::print("  findings one by one                      {:8.1f} ms  {:7.0f} MB/s   {:.0f} findings/s, {} MB more memory\n",
             streamed * 1000, static_cast<double>(text.size()) / streamed / 1e6, kResults / streamed, memory);
  fmt::print("  findings in a list                       {:8.1f} ms   {:.0f} findings/s\n", collected * 1000, kResults / collected);
  print("simdjson on demand, nothing read", floor, streamed, text.size());
  print("simdjson DOM", dom, streamed, text.size());
  print("nlohmann::json::parse", nlohmann, streamed, text.size());
  return 0;
}

} // namespace emend

int main() { return emend::run(); }
