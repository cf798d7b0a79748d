// What the status of a checked head says: from the verdict of `emend check`, from the gate, and from who
// overrode it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/head_status.hpp"
#include "model/posting.hpp"

namespace emend {

// Of a head: the word and the sentence that `emend check` gave. `code`: of the issue it was held against;
// empty = of none.
struct HeadVerdict {
  std::string word, reason, code;
};
// As a check said it, made safe to stand at a forge.
[[nodiscard]] HeadVerdict head_verdict(std::string_view word, std::string_view reason, std::string code);

// Without sha and context. A word that no check gives is our own failure. By any gate a change that breaks
// something is a failure, and with forge.gate = "proof" a check of an issue that does not prove its fix is
// one.
[[nodiscard]] HeadStatus conclude_check(const HeadVerdict& verdict, GateMode gate,
                                        const std::string& override_by);

// The verdict again, from the line in which it was said; its code is not in it.
[[nodiscard]] HeadVerdict read_verdict(std::string_view summary);

} // namespace emend
