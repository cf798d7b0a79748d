// The change of an attempt with what the judges said about it: each point under the line it speaks of.
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type DiffLine, parseDiff } from "../changes/diff";
import { SmallDiff } from "../changes/diff_text";
import { type Placed, placeRemarks, type Remark } from "../changes/remarks";
import { Prose } from "../text/prose";
import { Shown } from "../text/shown";
import type { Tried, Verdict } from "./attempts";

const pointsOf = (verdict: Verdict): Remark[] => {
  const who = verdict.agent || "judge";
  const score = typeof verdict.score === "number" ? verdict.score : null;
  const point = (text: string, kind: Remark["kind"]): Remark => ({ who, score: kind === "feedback" ? score : null, text, kind });
  return [...(verdict.feedback ? [point(verdict.feedback, "feedback")] : []), ...(verdict.improvements_needed ?? []).map((text) => point(text, "must")), ...(verdict.suggestions ?? []).map((text) => point(text, "wish"))];
};

export const remarksOf = (tried: Tried): Remark[] => tried.verdicts.filter((verdict) => !verdict.canary).flatMap(pointsOf);

const leads: Record<Remark["kind"], string> = { feedback: "judge", must: "must change", wish: "would be nice" };

export function Said({ remark, bad = false }: { remark: Remark; bad?: boolean }): JSX.Element {
  return (
    <div class={bad || remark.kind === "must" ? "say say-bad" : "say"}>
      <span class="who">
        <Shown text={remark.who} />, {leads[remark.kind]}:{remark.score !== null && ` ${remark.score}.`}
      </span>{" "}
      <Prose text={remark.text} />
    </div>
  );
}

// Drawn: the change with its points. rest: what is about no line of it.
export function useJudged(tried: Tried | undefined, bad = false): { drawn: ComponentChildren; rest: readonly Remark[] } {
  const { files, placed } = useMemo(() => {
    const files = parseDiff(tried?.diff ?? "");
    const placed: Placed = placeRemarks(files, tried ? remarksOf(tried) : []);
    return { files, placed };
  }, [tried]);
  const under = (line: DiffLine): ComponentChildren => placed.at.get(line)?.map((remark, index) => <Said key={index} remark={remark} bad={bad} />);
  return { drawn: tried?.diff ? <SmallDiff files={files} under={under} /> : <p class="hint">It changed nothing.</p>, rest: placed.rest };
}
