// Two attempts at an issue, side by side: what was done differently, and what the judge said about each.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { reasonOf } from "../parts/reasons";
import { Chip, span } from "../parts/words";
import type { Tried } from "./attempts";
import { Said, useJudged } from "./judged_diff";

function Side({ all, at, name, onChoose }: { all: readonly Tried[]; at: number; name: string; onChoose: (index: number) => void }): JSX.Element {
  const tried = all[at]!;
  const score = tried.verdicts[tried.verdicts.length - 1]?.score;
  const kept = tried.attempt.result === "accepted";
  const { drawn, rest } = useJudged(tried, !kept);
  return (
    <div class="stack">
      <p class="row">
        <label class="row">
          <span class="visually-hidden">{name}</span>
          <select value={at} onChange={(event) => onChoose(Number(event.currentTarget.value))}>
            {all.map((one, index) => (
              <option key={one.attempt.id} value={index}>
                Attempt {index + 1}, {one.attempt.agent}
              </option>
            ))}
          </select>
        </label>
        <Chip tone={kept ? "good" : "bad"}>{kept ? "kept" : reasonOf(tried.attempt.result, tried.attempt.detail).what.toLowerCase()}</Chip>
        <span class="hint">
          {typeof score === "number" ? `judge ${score}, ` : ""}
          {span(tried.attempt.duration_ms)}
        </span>
      </p>
      {drawn}
      {rest.map((remark, index) => (
        <Said key={index} remark={remark} bad={!kept} />
      ))}
    </div>
  );
}

export function CompareAttempts({ all }: { all: readonly Tried[] }): JSX.Element {
  const [left, setLeft] = useState(all.length - 2);
  const [right, setRight] = useState(all.length - 1);
  return (
    <div class="compare">
      <Side all={all} at={left} name="Left attempt" onChoose={setLeft} />
      <Side all={all} at={right} name="Right attempt" onChoose={setRight} />
    </div>
  );
}
