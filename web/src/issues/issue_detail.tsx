// One issue: where it is, why it is one, how it was or could be fixed, and what happened to it.
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { newKey } from "../api/client";
import { commentOnIssue, getIssue, getIssueHistory } from "../api/operations";
import { useResource } from "../api/resource";
import type { Issue } from "../api/types";
import { useActions } from "../app/keys";
import { at, go, here, Link, place } from "../app/router";
import { attempt } from "../app/toasts";
import { openInEditor } from "../parts/editor";
import { Icon } from "../parts/icon";
import { copyText, Empty, Loaded } from "../parts/states";
import { Tabs } from "../parts/tabs";
import { capital, Chip, evidenceWords, IssueChip, placeOf, reasonWords, SeverityMark, Time } from "../parts/words";
import { EvidenceBadge } from "../parts/evidence";
import { reasonOf } from "../parts/reasons";
import { Prose } from "../text/prose";
import { Shown } from "../text/shown";
import type { Asking } from "./bulk_bar";
import { CodeFrame } from "./code_frame";
import { FixHistory } from "./fix_history";
import { WantedTests } from "./wanted_tests";
import { eventText } from "../session/event_text";

const tabs = [
  { id: "where", name: "Where" },
  { id: "why", name: "Why" },
  { id: "fix", name: "Fix" },
  { id: "activity", name: "Activity" },
  { id: "raw", name: "Raw" },
] as const;

export function asPrompt(issue: Issue): string {
  const lines = [`Fix this issue in ${placeOf(issue)}:`, "", issue.title];
  if (issue.rule_id) lines.push(`Rule: ${issue.rule_id}`);
  if (issue.description_md) lines.push("", issue.description_md);
  if (issue.fix_hint) lines.push("", `Suggestion: ${issue.fix_hint}`);
  for (const known of issue.clarifications) if (known.answer) lines.push("", `Q: ${known.question}`, `A: ${known.answer}`);
  lines.push("", "Change only what this issue needs. All tests must still pass.");
  return lines.join("\n");
}

// A person wants to say something: the field takes the focus as soon as it is there, so that the next key is typed into it.
let wantsToSay = false;
function startSaying(): void {
  const field = document.getElementById("say");
  wantsToSay = field === null;
  field?.focus();
}

// A word to whoever fixes the issue next.
function Say({ issue, onDone }: { issue: Issue; onDone: () => void }): JSX.Element {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (wantsToSay) field.current?.focus();
    wantsToSay = false;
  }, []);
  const send = async (): Promise<void> => {
    const done = await attempt(() => commentOnIssue({ code: issue.code, repository_id: issue.repository_id }, { text: text.trim() }, { once: newKey() }), "Comment added for the next fixer");
    if (!done) return;
    setText("");
    onDone();
  };
  return (
    <form class="comment-form" onSubmit={(event) => (event.preventDefault(), void send())}>
      <textarea id="say" ref={field} aria-label="Comment" rows={2} maxLength={20000} placeholder="Comment for the next fixer" value={text} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()} />
      <div class="row">
        <button type="submit" disabled={!text.trim()}>
          <Icon name="comment" /> Comment
        </button>
      </div>
    </form>
  );
}

// Every step of every run is in the session; here is what became of the issue.
const isNoise = (type: string): boolean => /^(agent_run_|fix_agent_invoked|fix_cycle_started|fix_(verification|rescan|reproducer)_started|fix_challenger_evaluating)/.test(type);

export function Activity({ issue }: { issue: Issue }): JSX.Element {
  const events = useResource(`history ${issue.id}`, (signal) => getIssueHistory({ code: issue.code, repository_id: issue.repository_id }, { signal }), (event) => event.issue_code === issue.code && event.type !== "fix_issue_streaming");
  return (
    <>
      <Say issue={issue} onDone={events.reload} />
      <Loaded from={events}>
        {(page) => (
          <ol class="activity">
            <li>
              <Time at={issue.created_at} />
              <span>found{issue.found_by.length > 0 ? ` by ${issue.found_by.map((one) => one.agent).join(", ")}` : ""}</span>
            </li>
            {page.data.filter((event) => !isNoise(event.type)).map((event) => (
              <li key={event.seq}>
                <Time at={event.ts} />
                <span>{eventText({ ...event.data, ...event, issue_code: event.issue_code ?? undefined })}</span>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </>
  );
}

export function Facts({ issue }: { issue: Issue }): JSX.Element {
  const rows: [string, ComponentChildren][] = [];
  const add = (name: string, value: ComponentChildren): void => void (value && rows.push([name, value]));
  add("rule", issue.rule_id && <code>{issue.rule_id}</code>);
  add("category", reasonWords(issue.category));
  add("found by", issue.found_by.map((one) => one.agent).join(", "));
  add("score", issue.last_score !== null ? `${issue.last_score}` : null);
  add("evidence", issue.evidence && evidenceWords(issue.evidence, issue.marks));
  add("attempts", issue.attempts > 0 ? `${issue.attempts}` : null);
  add("session", issue.session_id && <Link to={at(`/sessions/${encodeURIComponent(issue.session_id)}`)}>{issue.session_id}</Link>);
  add("commit", issue.commit && <code title={issue.commit}>{issue.commit.slice(0, 12)}</code>);
  add("duplicate of", issue.duplicate_of && <Link to={here({ issue: issue.duplicate_of })}>{issue.duplicate_of}</Link>);
  return (
    <dl class="facts-list">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{capital(name)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Body({ issue, tab }: { issue: Issue; tab: string }): JSX.Element {
  if (tab === "why") return issue.description_md ? <Prose text={issue.description_md} /> : <Empty title="No description besides the title." />;
  if (tab === "fix")
    return (
      <>
        <WantedTests issue={issue} />
        <FixHistory issue={issue} />
      </>
    );
  if (tab === "activity") return <Activity issue={issue} />;
  if (tab === "raw")
    return (
      <pre class="raw" tabIndex={0}>
        {JSON.stringify(issue, null, 2)}
      </pre>
    );
  return <CodeFrame issue={issue} />;
}

export function IssueDetail({ repository, code, ask }: { repository: string; code: string; ask: (asking: Asking) => void }): JSX.Element {
  const issue = useResource(`issue ${repository} ${code}`, (signal) => getIssue({ code, repository_id: repository }, { signal }), (event) => event.issue_code === code && event.type !== "fix_issue_streaming");
  const tab = place.value.query.get("tab") ?? "where";
  const turn = (id: string): void => go(here({ tab: id === "where" ? null : id }), { replace: true });
  useActions([
    ...tabs.map((one, index) => ({ keys: String(index + 1), what: one.name, group: "Issue", run: () => turn(one.id) })),
    { keys: "c", what: "Comment", group: "Issue", run: () => (turn("activity"), startSaying()) },
    { keys: "p", what: "Copy as a prompt", group: "Issue", run: () => issue.data && void copyText(asPrompt(issue.data), "Prompt") },
  ]);
  return (
    <section class="detail" aria-label={`Issue ${code}`}>
      <button type="button" class="bare detail-close" aria-label="Close the issue" onClick={() => go(here({ issue: null, tab: null }), { replace: true })}>
        <Icon name="close" />
      </button>
      <Loaded from={issue} rows={6}>
        {(data) => (
          <>
            <header class="detail-head">
              <p class="row">
                <code class="code">{data.code}</code>
                <SeverityMark severity={data.severity} word />
                <IssueChip issue={data} />
                <EvidenceBadge level={data.evidence} marks={data.marks} />
                {data.substatus !== "ongoing" && <Chip tone={data.substatus === "regressed" ? "warn" : "plain"}>{data.substatus}</Chip>}
              </p>
              <h2>
                <Shown text={data.title} />
              </h2>
              <p class="where">
                <Shown ltr text={placeOf(data)} />
              </p>
              {data.detail && (
                <p class="detail-reason">
                  {data.status === "FAILED" && <b>{reasonOf(data.reason, data.detail, data.last_score).what}. </b>}
                  <Shown text={data.detail} />
                </p>
              )}
              {!data.detail && data.reason && data.status === "IGNORED" && <p class="detail-reason">{reasonWords(data.reason)}</p>}
            </header>
            <div class="row detail-actions">
              {(data.status === "OPEN" || data.status === "FAILED") && (
                <button type="button" class="primary" onClick={() => ask({ what: "fix", codes: [code] })}>
                  <Icon name="play" /> Fix
                </button>
              )}
              {(data.status === "OPEN" || data.status === "FAILED") && (
                <>
                  <button type="button" onClick={() => ask({ what: "ignore", codes: [code] })}>
                    Ignore
                  </button>
                  <button type="button" onClick={() => ask({ what: "duplicate", codes: [code] })}>
                    Duplicate
                  </button>
                </>
              )}
              {(data.status === "IGNORED" || data.status === "FAILED" || data.status === "DUPLICATE") && (
                <button type="button" onClick={() => ask({ what: "reopen", codes: [code] })}>
                  Reopen
                </button>
              )}
              <Link class="button" to={at(`/issues/${encodeURIComponent(data.code)}`)}>
                Whole page
              </Link>
              {data.file && (
                <button type="button" onClick={() => openInEditor(data.repository_id, data.file, data.range?.start_line ?? 1)}>
                  <Icon name="edit" /> Editor
                </button>
              )}
              <button type="button" onClick={() => void copyText(asPrompt(data), "Prompt")}>
                <Icon name="copy" /> As prompt
              </button>
            </div>
            <Tabs tabs={tabs} current={tab} onTurn={turn} label="About this issue">
              <Body issue={data} tab={tab} />
            </Tabs>
            <Facts issue={data} />
          </>
        )}
      </Loaded>
    </section>
  );
}
