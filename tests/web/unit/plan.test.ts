import { expect, test } from "vitest";
import { moved, skipped } from "@web/session/plan_tab";

const draft = { steps: [{ reason: "a", issues: ["BE-001", "BE-002"] }, { reason: "b", issues: ["BE-003"] }], skip: [] };

test("steps change places, within the list", () => {
  expect(moved(draft, 0, 1).steps.map((step) => step.reason)).toEqual(["b", "a"]);
  expect(moved(draft, 0, -1)).toBe(draft);
  expect(moved(draft, 1, 1)).toBe(draft);
});

test("a skipped issue leaves its step, and an empty step goes with it", () => {
  expect(skipped(draft, "BE-001")).toEqual({ steps: [{ reason: "a", issues: ["BE-002"] }, { reason: "b", issues: ["BE-003"] }], skip: ["BE-001"] });
  expect(skipped(draft, "BE-003").steps).toHaveLength(1);
});
