// Where two fixes of an issue behaved differently, the answer of a person becomes a check of the issue.
#pragma once

#include "engine/context/ports.hpp"
#include "model/issue.hpp"
#include "model/reproducer.hpp"
#include "ports/store.hpp"

namespace emend {

// A check that the person gave, and that no answer asked for: answers leave it alone.
[[nodiscard]] bool has_check_of_its_own(const std::vector<Reproducer>& known);

// Brings the issue's check in line with all answers: those that chose one of the proposed checks give one
// check together; when none does any more, the one before is taken back. issue: with the answers as they are
// to be stored.
[[nodiscard]] Status add_answered_check(const Ports& ports, const Issue& issue, Change& change);

} // namespace emend
