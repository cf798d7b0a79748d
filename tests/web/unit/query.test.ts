import { expect, test } from "vitest";
import { filtersOf, parseQuery, queryText, toggled } from "@web/issues/query";

test("what a person types becomes filters", () => {
  expect(parseQuery("status:open severity:>=high file:src/net null check")).toEqual({ status: "OPEN", severity: "critical,high", file: "*src/net*", q: "null check" });
  expect(parseQuery("severity:>medium is:regressed")).toEqual({ severity: "critical,high", substatus: "regressed" });
  expect(parseQuery("severity:major file:src/*.c")).toEqual({ severity: "high", file: "src/*.c" });
  expect(parseQuery('rule:"a b" http://x')).toEqual({ rule: "a b", q: "http://x" });
  expect(parseQuery("  ")).toEqual({});
});

test("the text of filters gives the same filters", () => {
  for (const text of ["status:open severity:critical,high words here", "rule:a/b tool:cppcheck", "file:src/*.c"]) expect(parseQuery(queryText(parseQuery(text)))).toEqual(parseQuery(text));
});

test("the address holds the filters and nothing else", () => {
  expect(filtersOf(new URLSearchParams("status=OPEN&issue=BE-001&q=x&nonsense=1"))).toEqual({ status: "OPEN", q: "x" });
});

test("values are added and taken away; the trend is one", () => {
  expect(toggled({ status: "OPEN" }, "status", "FAILED")).toBe("OPEN,FAILED");
  expect(toggled({ status: "OPEN" }, "status", "OPEN")).toBeNull();
  expect(toggled({ substatus: "new" }, "substatus", "regressed")).toBe("regressed");
});
