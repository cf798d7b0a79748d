#include "base/measures.hpp"

#include <gtest/gtest.h>

namespace emend {

TEST(Measures, AHistogramAddsUpAndLabelsAreEscaped) {
  for (const double seconds : {0.004, 0.03, 20.0})
    observe(Measure::http_request_seconds, {{"method", "od\"d\n"}, {"status", "2xx"}}, seconds);
  const std::string text = measures_text();
  const auto has = [&](const std::string& line) { return text.find(line + "\n") != std::string::npos; };
  const std::string name = "emend_http_request_duration_seconds";
  EXPECT_TRUE(has("# TYPE " + name + " histogram"));
  const std::string labels = R"(method="od\"d\n",status="2xx")";
  EXPECT_TRUE(has(name + "_bucket{" + labels + ",le=\"0.005\"} 1")) << text;
  EXPECT_TRUE(has(name + "_bucket{" + labels + ",le=\"0.05\"} 2"));
  EXPECT_TRUE(has(name + "_bucket{" + labels + ",le=\"10\"} 2"));
  EXPECT_TRUE(has(name + "_bucket{" + labels + ",le=\"+Inf\"} 3"));
  EXPECT_TRUE(has(name + "_count{" + labels + "} 3"));
}

TEST(Measures, ACounterCounts) {
  count(Measure::database_errors, {{"database", "one"}});
  count(Measure::database_errors, {{"database", "one"}});
  EXPECT_NE(measures_text().find("emend_database_errors_total{database=\"one\"} 2\n"), std::string::npos);
}

TEST(Measures, AProcessHasMemoryAndDescriptors) {
  const std::string text = process_text();
  for (const char* name :
       {"process_cpu_seconds_total ", "process_resident_memory_bytes ", "process_open_fds "})
    EXPECT_NE(text.find(name), std::string::npos) << name;
}

} // namespace emend
