// What agents answer to programs, in JSON, is one line of the log for people; the rest of the log is as it was printed.
import type { LogLine } from "./session_state";

const kLongest = 500; // lines of one answer

// Where the object that begins at `from` ends; -1 = none does.
function endOf(lines: readonly LogLine[], from: number): number {
  for (let at = from + 1; at < Math.min(lines.length, from + kLongest); ++at)
    if (lines[at]!.text === "}") {
      try {
        JSON.parse(lines.slice(from, at + 1).map((line) => line.text).join("\n"));
        return at;
      } catch {
        return -1; // it only looks like one
      }
    }
  return -1;
}

// Agents that work at the same time print in turn, so that each of them is looked at alone.
export function foldAnswers(lines: readonly LogLine[]): LogLine[] {
  const own = new Map<string, LogLine[]>();
  for (const line of lines) {
    const key = `${line.run ?? ""} ${line.issue ?? ""} ${line.channel}`;
    const list = own.get(key);
    if (list) list.push(line);
    else own.set(key, [line]);
  }
  const instead = new Map<LogLine, LogLine | null>();
  for (const list of own.values())
    for (let from = 0; from < list.length; ++from) {
      const to = list[from]!.text === "{" ? endOf(list, from) : -1;
      if (to < 0) continue;
      instead.set(list[from]!, { ...list[from]!, text: `… an answer in JSON, ${to - from + 1} lines` });
      for (let at = from + 1; at <= to; ++at) instead.set(list[at]!, null);
      from = to;
    }
  return lines.flatMap((line) => {
    const other = instead.get(line);
    return other === undefined ? [line] : other === null ? [] : [other];
  });
}
