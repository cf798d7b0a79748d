// How sure we are that an issue is fixed, small enough for a list: one lamp for each experiment, and the word.
import type { JSX } from "preact";

type Lamp = "" | "fails" | "passes";
// Before, with the fix, without it, check turned around; "" = not run.
const lamps: Record<string, Lamp[]> = {
  proven: ["fails", "passes", "fails", "fails"],
  repaired: ["fails", "passes", "fails", ""],
  unbroken: ["", "passes", "", ""],
  judged: ["", "", "", ""],
};
const meanings: Record<string, string> = {
  proven: "Its check fails before the fix, passes with it, fails without it, and fails when its expectation is turned around",
  repaired: "Its check fails before the fix, passes with it, and fails without it",
  unbroken: "The checks that passed before still pass; none of them failed because of the issue",
  judged: "Only the judge says that it is right",
};
const markMeanings: Record<string, string> = {
  shown: "The fix brings tests that fail without it",
  rescanned: "The analyzer does not report it any more",
  independent: "A hidden check passed whose values were compared outside",
};

export function EvidenceBadge({ level, marks = [] }: { level: string | null; marks?: readonly string[] }): JSX.Element | null {
  if (!level || !lamps[level]) return null;
  return (
    <>
      <span class={`evidence evidence-${level}`} title={meanings[level]}>
        {lamps[level].map((lamp, index) => (
          <i key={index} class={lamp} aria-hidden="true" />
        ))}
        {level}
      </span>
      {marks.map((mark) => (
        <span key={mark} class="chip chip-line" title={markMeanings[mark]}>
          {mark}
        </span>
      ))}
    </>
  );
}
