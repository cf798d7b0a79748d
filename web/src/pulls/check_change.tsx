// `emend check`: is a change that somebody made really a fix, and does it break anything? It works on a copy; nothing is committed.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { newKey } from "../api/client";
import { getCheck, getCheckProofAddress, startCheck } from "../api/operations";
import type { CheckJob } from "../api/types";
import { place } from "../app/router";
import { attempt } from "../app/toasts";
import { Icon } from "../parts/icon";
import { Chip, span, type Tone } from "../parts/words";
import { Shown } from "../text/shown";

type Verdict = NonNullable<CheckJob["result"]>["verdict"];

const said: Record<Verdict, { tone: Tone; what: string }> = {
  PROVEN: { tone: "good", what: "It fails without the change and passes with it" },
  VERIFIED: { tone: "good", what: "Nothing that passed fails. Nothing shows that anything was fixed" },
  "NOTHING TO CHECK": { tone: "quiet", what: "Nothing differs, or only comments and white space do" },
  RED: { tone: "bad", what: "A check fails that passed before, or the issue is still there" },
  CHEAT: { tone: "bad", what: "Existing tests were changed, or the tests cannot fail any more" },
  UNPROVABLE: { tone: "warn", what: "No check can tell" },
};

const kLookAgainMs = 700;

async function ended(id: string): Promise<CheckJob> {
  for (;;) {
    const now = await getCheck({ id });
    if (now.state === "done" || now.state === "failed") return now;
    await new Promise((resolve) => setTimeout(resolve, kLookAgainMs));
  }
}

function Result({ job }: { job: CheckJob }): JSX.Element {
  const { result } = job;
  if (!result)
    return (
      <p class="note note-bad" role="alert">
        It could not be checked. <Shown text={job.detail ?? ""} />
      </p>
    );
  const { tone, what } = said[result.verdict];
  return (
    <div class="stack" role="status">
      <p class="row">
        <Chip tone={tone}>{result.verdict.toLowerCase()}</Chip> <b>{what}.</b> <span class="hint">{span(result.duration_ms)}</span>
      </p>
      {result.reason && (
        <p>
          <Shown text={result.reason} />
        </p>
      )}
      {result.failure && (
        <pre class="raw raw-wrap" tabIndex={0}>
          {result.failure}
        </pre>
      )}
      {result.next && (
        <p class="hint">
          Next: <Shown text={result.next} />
        </p>
      )}
      {result.verdict === "PROVEN" && (
        <p>
          <a class="button" href={getCheckProofAddress({ id: job.id })} download>
            Save the proof
          </a>
        </p>
      )}
    </div>
  );
}

export function CheckChange({ id }: { id: string }): JSX.Element {
  const [what, setWhat] = useState("");
  const [issue, setIssue] = useState("");
  const [busy, setBusy] = useState(false);
  const [job, setJob] = useState<CheckJob | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const wanted = place.value.query.has("check"); // somebody came here for this
  useEffect(() => {
    if (wanted) field.current?.focus();
  }, [wanted]);
  const check = async (): Promise<void> => {
    setBusy(true);
    setJob(null);
    await attempt(async () => {
      const name = what.trim();
      const of = name === "" ? {} : name.includes("..") ? { range: name } : { commit: name };
      const begun = await startCheck({ repository_id: id, ...of, ...(issue.trim() ? { issue: issue.trim() } : {}) }, { once: newKey() });
      setJob(await ended(begun.check_id));
    });
    setBusy(false);
  };
  return (
    <form class="card ask" aria-label="Check a change" onSubmit={(event) => (event.preventDefault(), void check())}>
      <h2>Check a change that somebody made</h2>
      <div class="row">
        <label class="field">
          Which
          <input ref={field} type="text" placeholder="what is not committed" spellcheck={false} value={what} onInput={(event) => setWhat(event.currentTarget.value)} />
        </label>
        <label class="field">
          The issue it should fix
          <input type="text" placeholder="none" spellcheck={false} value={issue} onInput={(event) => setIssue(event.currentTarget.value)} />
        </label>
        <button type="submit" class="primary" disabled={busy}>
          <Icon name="check" /> {busy ? "Checking…" : "Check"}
        </button>
      </div>
      <p class="hint">
        A commit, or <code>A..B</code>. The project's checks run on a copy, with the change and without it; no agent is asked. Also <code>emend check</code>.
      </p>
      {job && <Result job={job} />}
    </form>
  );
}
