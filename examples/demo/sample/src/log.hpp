#pragma once

#include <string>
#include <vector>

struct Reading {
  std::string gauge;
  int minute = 0;
  double millimetres = 0;
};

// The fields of a line, in the order the firmware writes them.
extern const char* const kFields[3];

// Appends the reading in a line; false when the line is not one.
bool read_line(const std::string& line, std::vector<Reading>& readings);

class Summary {
public:
  virtual ~Summary() = default;
  virtual double of(const std::vector<Reading>& readings) const = 0;
};

class Total : public Summary {
public:
  double of(const std::vector<Reading>& readings) const;
};

class WetShare : public Summary {
public:
  // The share of readings with rain, 0 to 1.
  double of(const std::vector<Reading>& readings) const;
};

// "total" or "wet"; the caller deletes it. Null for anything else.
Summary* make_summary(const std::string& name);
double summarize(const std::string& name, const std::vector<Reading>& readings);
