import { expect, test } from "vitest";
import { foldAnswers } from "@web/session/log_lines";
import type { LogLine } from "@web/session/session_state";

const line = (issue: string, text: string): LogLine => ({ ts: "", issue, channel: "stdout", text, run: issue }) as LogLine;
const texts = (lines: LogLine[]): string[] => lines.map((one) => `${one.issue} ${one.text}`);

test("an answer for programs is one line for people", () => {
  const log = [line("A", "looking"), line("A", "{"), line("B", "{"), line("A", '  "score": 98'), line("B", "  if (x) {"), line("A", "}"), line("B", "}"), line("A", "done")];
  expect(texts(foldAnswers(log))).toEqual(["A looking", "A … an answer in JSON, 3 lines", "B {", "B   if (x) {", "B }", "A done"]);
});

test("an answer that is still being printed stays as it is", () => {
  const log = [line("A", "{"), line("A", '  "score": 98')];
  expect(foldAnswers(log)).toEqual(log);
});
