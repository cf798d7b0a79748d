import type { JSX } from "preact";
import { Empty } from "../parts/states";
import { Meter } from "../parts/meter";
import { Chip } from "../parts/words";
import { Prose } from "../text/prose";
import type { SessionState, Verdict } from "./session_state";

function Card({ verdict, round }: { verdict: Verdict; round: number }): JSX.Element {
  const enough = verdict.score !== null && verdict.score >= verdict.threshold;
  return (
    <article class="card verdict">
      <header class="row">
        <code class="code">{verdict.issue}</code>
        <span class="hint">round {round}</span>
        <span class="grow" />
        {!verdict.independent && <Chip tone="warn">not independent</Chip>}
        {verdict.valid ? <Chip tone={enough ? "good" : "bad"}>{`${verdict.score} of at least ${verdict.threshold}`}</Chip> : <Chip tone="bad">no valid verdict</Chip>}
      </header>
      {Object.entries(verdict.quality).map(([name, value]) => (
        <Meter key={name} name={name.replace(/_/g, " ")} value={value} line={verdict.threshold} />
      ))}
      {verdict.problem && <p>{verdict.problem}</p>}
      {verdict.feedback && <Prose text={verdict.feedback} />}
      {verdict.improvements.length > 0 && (
        <>
          <h3>Improvements needed</h3>
          <ul>
            {verdict.improvements.map((text, index) => (
              <li key={index}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </article>
  );
}

export function VerdictsTab({ state, only }: { state: SessionState; only: string | null }): JSX.Element {
  const rounds = new Map<string, number>();
  const numbered = state.verdicts.map((verdict) => {
    const round = (rounds.get(verdict.issue) ?? 0) + 1;
    rounds.set(verdict.issue, round);
    return { verdict, round };
  });
  const shown = numbered.filter(({ verdict }) => !only || verdict.issue === only);
  if (shown.length === 0) return <Empty title="Nothing was judged yet." />;
  return (
    <div class="verdicts">
      {shown.map(({ verdict, round }) => (
        <Card key={verdict.seq} verdict={verdict} round={round} />
      ))}
    </div>
  );
}
