#include "engine/probe/source.hpp"

namespace emend::probe {
namespace {

using Kind = Token::Kind;

// Where the message of an assert statement begins: Python's comma, Java's colon that belongs to no "?".
std::size_t end_of_condition(const Source& source, Range statement) {
  int questions = 0;
  for (std::size_t i = statement.begin; i < statement.end; i = source.after(i)) {
    if (source.language.tongue == Tongue::python && source.is(i, ",")) return i;
    if (source.is(i, "?")) ++questions;
    if (source.language.tongue == Tongue::java && source.is(i, ":") && questions-- == 0) return i;
  }
  return statement.end;
}

std::size_t end_of_statement(const Source& source, std::size_t at) {
  while (at < source.size() && !source.is(at, ";") && !source.kind_is(at, Kind::line_end))
    at = source.after(at);
  return std::min(at, source.size());
}

} // namespace

std::vector<Negation> statement_negations(const Source& source) {
  std::vector<Negation> found;
  if (source.language.tongue != Tongue::python && source.language.tongue != Tongue::java) return found;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!source.is(i, "assert") || !begins_statement(source, i)) continue;
    const Range statement{i + 1, end_of_statement(source, i + 1)};
    const Range condition{statement.begin, end_of_condition(source, statement)};
    if (condition.empty() || is_in_helper(source, i)) continue;
    std::vector<Edit> edits = negated(source, condition);
    // assert(x): the word and the negation must not become one.
    const bool glued = source.tokens[i].end == source.tokens[condition.begin].begin;
    if (glued) edits.front().with.insert(0, " ");
    found.push_back({source.tokens[i].begin, source.tokens[statement.end - 1].end, std::move(edits)});
  }
  return found;
}

} // namespace emend::probe
