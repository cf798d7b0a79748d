// The dashboard and the terminal say the same words for the same things.
import { expect, test } from "vitest";
import { needTitle } from "@web/inbox/needs";
import { reasons } from "@web/parts/reasons";
import statuses from "../../../src/model/issue.cpp?raw";
import command from "../../../src/cli/daily/inbox_command.cpp?raw";
import marksOfTerminal from "../../../src/tui/detail_text.cpp?raw";
import inbox from "../../../src/tui/inbox.cpp?raw";
import panels from "../../../src/tui/render_panels.cpp?raw";
import words from "../../../src/tui/status_words.cpp?raw";
import rows from "../../../web/src/inbox/rows.tsx?raw";
import { failedRules, severityMarks, statusWord } from "@web/parts/words";

const pairsIn = (text: string): Record<string, string> => Object.fromEntries([...text.matchAll(/\{"([a-z_]+)", "([^"]+)"\}/g)].map(([, name, words]) => [name, words]));

test("why an issue was not fixed has the same words everywhere, and a sentence of its own", () => {
  const terminal = pairsIn(words);
  expect(Object.keys(terminal).length).toBeGreaterThan(20);
  expect(failedRules).toEqual(terminal);
  expect(Object.keys(terminal).filter((name) => !reasons[name])).toEqual([]);
});

test("severities have the same marks, but for the dash that a terminal may not have", () => {
  const marks = Object.fromEntries([...marksOfTerminal.matchAll(/case Severity::(\w+): return "([^"]+)";/g)].map(([, name, mark]) => [name, mark]));
  expect(Object.keys(marks)).toHaveLength(5);
  expect({ ...severityMarks, low: "-" }).toEqual(marks);
});

test("a status is its name in small letters, as in the terminal", () => {
  const names = [...statuses.matchAll(/\{IssueStatus::\w+, "([A-Z_]+)"\}/g)].map(([, name]) => name!);
  expect(names).toHaveLength(7);
  for (const name of names) expect(statusWord(name as never)).toBe(name.toLowerCase().replace(/_/g, " "));
});

test("an inbox is named and empty in the same words", () => {
  expect(panels).toContain(`"${needTitle(0)}."`);
  expect(command).toContain(`"${needTitle(0)}.\\n"`);
  for (const said of ["starts when you approve its plan", "stopped before it was done"]) for (const text of [rows, inbox, command]) expect(text.toLowerCase()).toContain(said);
});
