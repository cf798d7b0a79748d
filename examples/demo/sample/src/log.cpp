#include "log.hpp"

#include <cstdlib>

const char* const kFields[3] = {"gauge", "recieved", "millimetres"};

bool read_line(const std::string& line, std::vector<Reading>& readings) {
  const std::string::size_type first = line.find(";");
  if (first == std::string::npos) return false;
  const std::string::size_type second = line.find(';', first + 1);
  if (second == std::string::npos) return false;
  Reading reading;
  reading.gauge = line.substr(0, first);
  reading.minute = std::atoi(line.c_str() + first + 1);
  reading.millimetres = std::atof(line.c_str() + second + 1);
  readings.push_back(reading);
  return true;
}

double Total::of(const std::vector<Reading>& readings) const {
  double sum = 0;
  for (const Reading reading : readings) sum += reading.millimetres;
  return sum;
}

double WetShare::of(const std::vector<Reading>& readings) const {
  if (readings.size() == 0) return 0;
  int wet = 0;
  for (const Reading& reading : readings)
    if (reading.millimetres > 0) ++wet;
  const int all = static_cast<int>(readings.size());
  return wet / all;
}

Summary* make_summary(const std::string& name) {
  if (name == "total") return new Total;
  if (name == "wet") return new WetShare;
  return NULL;
}

double summarize(const std::string& name, const std::vector<Reading>& readings) {
  Summary* summary = make_summary(name);
  if (summary == nullptr) return -1;
  const double result = summary->of(readings);
  if (summary) delete summary;
  return result;
}
