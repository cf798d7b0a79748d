// What was tried for an issue, how each try was judged, and which clauses of the gate held.
import type { JSX } from "preact";
import type { Issue } from "../api/types";
import { Empty, Loaded } from "../parts/states";
import { Chip, reasonWords, span } from "../parts/words";
import { Prose } from "../text/prose";
import { type Tried, useAttempts } from "./attempts";
import { Said, useJudged } from "./judged_diff";
import { Clauses, Story } from "./proof";

function AttemptCard({ tried }: { tried: Tried }): JSX.Element {
  const { attempt } = tried;
  const { drawn, rest } = useJudged(tried, attempt.result !== "accepted");
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
      {rest.map((remark, index) => (
        <Said key={index} remark={remark} bad={attempt.result !== "accepted"} />
      ))}
      {tried.diff && drawn}
    </details>
  );
}

export function FixHistory({ issue }: { issue: Issue }): JSX.Element {
  const attempts = useAttempts(issue);
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
