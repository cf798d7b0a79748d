// What was tried for an issue, how each try was judged, and which clauses of the gate held.
import type { JSX } from "preact";
import { get, segment } from "../api/client";
import { useResource } from "../api/resource";
import type { GateDecision, Issue, Page, StoryLine } from "../api/types";
import { DiffText } from "../changes/diff_text";
import { Empty, Loaded } from "../parts/states";
import { Chip, reasonWords, span, type Tone } from "../parts/words";
import { Prose } from "../text/prose";

interface Verdict {
  valid?: boolean;
  score?: number | null;
  feedback?: string;
  status?: string;
  agent?: string;
  improvements_needed?: string[];
}
interface Attempted {
  attempt: { id: string; cycle: number; agent: string; model: string; claim: string; result: string; detail: string; explanation: string; duration_ms: number };
  verdicts: Verdict[];
  diff: string;
}
type Attempts = Page<Attempted> & { decision: GateDecision | null; story: StoryLine[] };

const tones: Record<string, Tone> = { passed: "good", failed: "bad", not_required: "quiet" };

export function Clauses({ decision }: { decision: GateDecision }): JSX.Element {
  return (
    <table class="clauses">
      <caption>{decision.resolved ? "Every rule of the gate passed" : "The gate refused it"}</caption>
      <tbody>
        {decision.clauses.map((clause) => (
          <tr key={clause.id}>
            <th scope="row">{reasonWords(clause.name)}</th>
            <td>
              <Chip tone={tones[clause.state] ?? "plain"}>{reasonWords(clause.state)}</Chip>
            </td>
            <td>{clause.detail}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The experiments in the order they were made; the last line is the level. */
export function Story({ lines }: { lines: StoryLine[] }): JSX.Element {
  return (
    <section>
      <h3>What was run</h3>
      <ol class="story">
        {lines.map((line, index) => (
          <li key={index}>{line.experiment === "level" ? <strong>{line.text}</strong> : line.text}</li>
        ))}
      </ol>
    </section>
  );
}

function AttemptCard({ tried }: { tried: Attempted }): JSX.Element {
  const { attempt } = tried;
  return (
    <details class="attempt">
      <summary>
        <span>Attempt {attempt.cycle}</span>
        <Chip tone={attempt.result === "accepted" ? "good" : "bad"}>{reasonWords(attempt.result)}</Chip>
        <span class="grow clip">{attempt.detail}</span>
        <span class="hint">
          {attempt.agent}, {span(attempt.duration_ms)}
        </span>
      </summary>
      {attempt.explanation && (
        <>
          <h4>Explanation of the fixer</h4>
          <Prose text={attempt.explanation} />
        </>
      )}
      {tried.verdicts.map((verdict, index) => (
        <div key={index}>
          <h4>What the judge says{typeof verdict.score === "number" ? `: ${verdict.score}` : ""}</h4>
          {verdict.feedback && <Prose text={verdict.feedback} />}
          {(verdict.improvements_needed ?? []).length > 0 && (
            <ul>
              {verdict.improvements_needed!.map((text, row) => (
                <li key={row}>{text}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
      {tried.diff && <DiffText text={tried.diff} />}
    </details>
  );
}

export function FixHistory({ issue }: { issue: Issue }): JSX.Element {
  const attempts = useResource(`attempts ${issue.id}`, (signal) => get<Attempts>(`/api/issues/${segment(issue.code)}/attempts`, { repository_id: issue.repository_id }, signal), (event) => event.issue_code === issue.code && /^fix_(cycle|issue)_completed$/.test(event.type));
  return (
    <>
      {issue.fix_hint && (
        <section>
          <h3>Suggestion</h3>
          <Prose text={issue.fix_hint} />
        </section>
      )}
      {issue.clarifications.length > 0 && (
        <section>
          <h3>Questions</h3>
          <dl class="asked">
            {issue.clarifications.map((known) => (
              <div key={known.question_id}>
                <dt>{known.question}</dt>
                <dd>{known.answer ?? (known.state === "asked" ? "not answered yet" : "left to the fixer")}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      <Loaded from={attempts} rows={3}>
        {(page) => (
          <>
            {page.story.length > 0 && <Story lines={page.story} />}
            {page.decision && <Clauses decision={page.decision} />}
            {page.data.length === 0 && <Empty title="No fix was tried yet." />}
            {page.data.map((tried) => (
              <AttemptCard key={tried.attempt.id} tried={tried} />
            ))}
          </>
        )}
      </Loaded>
    </>
  );
}
