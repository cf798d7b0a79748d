// Two or more agents vote on a change, each alone. Nothing is posted anywhere.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { newKey } from "../api/client";
import { cancelJob, getPrReview, listJobs, startPrReview } from "../api/operations";
import { useResource } from "../api/resource";
import type { Job, LiveEvent, PrReview } from "../api/types";
import { nameOf, useName } from "../app/names";
import { repository } from "../app/repositories";
import { at, go, Link } from "../app/router";
import { attempt } from "../app/toasts";
import { Icon } from "../parts/icon";
import { Meter } from "../parts/meter";
import { Empty, Loaded } from "../parts/states";
import { Chip, count, reasonWords, SeverityMark, severities, span, Time, type Tone } from "../parts/words";
import { Prose } from "../text/prose";
import { Shown } from "../text/shown";
import { CheckChange } from "./check_change";
import type { Severity } from "../api/types";

const kMostVotes = 30;
const aboutVotes = (event: LiveEvent): boolean => event.type.startsWith("pr_");
const stateTones: Record<Job["state"], Tone> = { queued: "quiet", running: "busy", done: "good", failed: "bad" };

function AskForm({ id }: { id: string }): JSX.Element {
  const [base, setBase] = useState("");
  const [head, setHead] = useState("");
  const ask = (): Promise<boolean> =>
    attempt(async () => {
      const body = { repository_id: id, ...(base.trim() ? { base: base.trim() } : {}), ...(head.trim() ? { head: head.trim() } : {}) };
      const begun = await startPrReview(body, { once: newKey() });
      go(at(`/pulls/${encodeURIComponent(begun.review_id)}`));
    });
  return (
    <form class="card ask" onSubmit={(event) => (event.preventDefault(), void ask())}>
      <h2>Let agents vote on a branch</h2>
      <div class="row">
        <label class="field">
          Into
          <input type="text" placeholder="the default branch" value={base} onInput={(event) => setBase(event.currentTarget.value)} />
        </label>
        <label class="field">
          What
          <input type="text" placeholder="HEAD" value={head} onInput={(event) => setHead(event.currentTarget.value)} />
        </label>
        <button type="submit" class="primary">
          <Icon name="play" /> Vote
        </button>
      </div>
      <p class="hint">
        Each agent looks alone and gives 0 to 100; the average decides. It costs what they cost. Nothing is posted. Also <code>emend pr review</code>.
      </p>
    </form>
  );
}

// "feature into main": what was voted on.
function nameOfVotes(result: PrReview["result"]): string | undefined {
  const { head_ref, base_ref } = (result ?? {}) as { head_ref?: string; base_ref?: string };
  return result ? `${head_ref ?? result.head.slice(0, 12)} into ${base_ref ?? result.base.slice(0, 12)}` : undefined;
}

// What was voted on is known once the votes are there.
function VoteLink({ job }: { job: Job }): JSX.Element {
  const review = useResource(job.state === "done" ? `vote ${job.id}` : null, (signal) => getPrReview({ id: job.id }, { signal }));
  return (
    <Link to={at(`/pulls/${encodeURIComponent(job.id)}`)}>
      <Shown text={nameOfVotes(review.data?.result ?? null) ?? "Votes on a branch"} /> <code class="hint">{job.id}</code>
    </Link>
  );
}

function List({ id }: { id: string }): JSX.Element {
  const jobs = useResource(`votes ${id}`, (signal) => listJobs({ limit: 200 }, { signal }), aboutVotes);
  return (
    <Loaded from={jobs} rows={3}>
      {(page) => {
        const votes = page.data.filter((job) => job.kind === "pr_review" && job.repository_id === id).reverse().slice(0, kMostVotes);
        if (votes.length === 0) return <Empty icon="pulls" title="No recent votes." />;
        return (
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Vote</th>
                <th scope="col">State</th>
                <th scope="col">Asked</th>
                <th scope="col">Remark</th>
              </tr>
            </thead>
            <tbody>
              {votes.map((job) => (
                <tr key={job.id}>
                  <th scope="row">
                    <VoteLink job={job} />
                  </th>
                  <td>
                    <Chip tone={stateTones[job.state]}>{job.state}</Chip>
                  </td>
                  <td>
                    <Time at={job.queued_at} />
                  </td>
                  <td class="clip-cell wide">{job.problem}</td>
                </tr>
              ))}
            </tbody>
          </table>
        );
      }}
    </Loaded>
  );
}

type Result = NonNullable<PrReview["result"]>;
type Vote = Result["votes"][number];

// The members a finding of a vote has; the contract leaves them open.
interface Found {
  file?: string;
  line?: number;
  title?: string;
  severity?: string;
  description?: string;
  agent?: string;
  found_by?: string[];
}

function VoteCard({ vote, threshold }: { vote: Vote; threshold: number }): JSX.Element {
  return (
    <article class="card vote" aria-label={`Vote of ${vote.voter}`}>
      <header class="row">
        <h2 class="grow">{vote.voter}</h2>
        <span class="hint">{vote.model}</span>
      </header>
      {vote.valid && vote.score !== null ? <Meter name="score" value={vote.score} line={threshold} /> : <Chip tone="bad">no vote</Chip>}
      {vote.problem && <p class="detail-reason">{vote.problem}</p>}
      {vote.summary && <Prose text={vote.summary} />}
      {vote.feedback && (
        <details>
          <summary>Message to the author</summary>
          <Prose text={vote.feedback} />
        </details>
      )}
    </article>
  );
}

const isSeverity = (word: string | undefined): word is Severity => severities.some((known) => known === word);

// Who found what: where they disagree is where a person should look.
function Findings({ result }: { result: Result }): JSX.Element {
  const found = result.findings as Found[];
  const voters = result.votes.map((vote) => vote.voter);
  if (found.length === 0) return <Empty icon="check" title="No findings." />;
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label="Findings">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Severity</th>
            <th scope="col">Finding</th>
            <th scope="col">Where</th>
            {voters.map((voter) => (
              <th key={voter} scope="col">
                {voter}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.map((one, index) => {
            const by = one.found_by && one.found_by.length > 0 ? one.found_by : one.agent ? [one.agent] : [];
            return (
              <tr key={index} class={by.length < voters.length ? "disagreed" : undefined}>
                <td>{isSeverity(one.severity) ? <SeverityMark severity={one.severity} word /> : one.severity}</td>
                <th scope="row" title={one.description}>
                  {one.title ?? one.description}
                </th>
                <td class="setting-value">
                  {one.file}
                  {one.line ? `:${one.line}` : ""}
                </td>
                {voters.map((voter) => (
                  <td key={voter}>{by.includes(voter) ? "found it" : "–"}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const decisions: Record<Result["decision"], { word: string; tone: Tone }> = {
  approved: { word: "approved", tone: "good" },
  not_approved: { word: "not approved", tone: "bad" },
  not_enough_votes: { word: "not enough votes", tone: "warn" },
};

function Votes({ result }: { result: Result }): JSX.Element {
  const more = result as Result & { base_ref?: string; head_ref?: string; files?: number; insertions?: number; deletions?: number; one_vendor?: boolean; duration_ms?: number };
  const decided = decisions[result.decision];
  return (
    <>
      <section class={`banner ${result.approved ? "banner-good" : ""}`} aria-label="Decision">
        <div class="grow">
          <p class="banner-title">
            <Chip tone={decided.tone}>{decided.word}</Chip> {result.average !== null ? `average ${result.average}, ${result.threshold} is needed` : `${count(result.valid_votes, "vote")} of the two that are needed`}
          </p>
          <p>
            <code>{more.head_ref ?? result.head.slice(0, 12)}</code> into <code>{more.base_ref ?? result.base.slice(0, 12)}</code>
            {more.files !== undefined && (
              <>
                , {count(more.files, "file")}, <span class="plus">+{more.insertions}</span> <span class="minus">−{more.deletions}</span>
              </>
            )}
            {more.duration_ms !== undefined && `, ${span(more.duration_ms)}`}
          </p>
          {more.one_vendor && <p class="hint">All votes are from one vendor, so they may miss the same issues.</p>}
        </div>
      </section>
      <div class="votes">
        {result.votes.map((vote) => (
          <VoteCard key={vote.voter} vote={vote} threshold={result.threshold} />
        ))}
      </div>
      <h2>Findings</h2>
      <Findings result={result} />
    </>
  );
}

function One({ id }: { id: string }): JSX.Element {
  const review = useResource(`vote ${id}`, (signal) => getPrReview({ id }, { signal }), (event) => event.session_id === id && event.type !== "fix_issue_streaming");
  useName(id, nameOfVotes(review.data?.result ?? null));
  return (
    <Loaded from={review} rows={5}>
      {(data) => (
        <>
          <div class="row">
            <Chip tone={stateTones[data.state]}>{data.state}</Chip>
            <span class="hint">
              asked <Time at={data.queued_at} />
            </span>
            <span class="grow" />
            {(data.state === "queued" || data.state === "running") && (
              <button type="button" class="danger" onClick={() => void attempt(() => cancelJob({ id }), "Stopping").then(review.reload)}>
                <Icon name="stop" /> Stop
              </button>
            )}
          </div>
          {data.detail && <p class="note">{reasonWords(data.detail)}</p>}
          {data.result ? <Votes result={data.result} /> : data.state !== "failed" && <Empty title="The review is running.">This page updates automatically.</Empty>}
        </>
      )}
    </Loaded>
  );
}

export function Pulls({ id }: { id?: string | undefined }): JSX.Element {
  const served = repository.value?.id;
  return (
    <div class="page">
      <header class="row">
        <h1 class="grow">{!id ? "Pull requests" : nameOf(id) === id ? "Votes on a branch" : <Shown text={nameOf(id)} />}</h1>
        {id && (
          <Link class="button" to={at("/pulls")}>
            All
          </Link>
        )}
      </header>
      {!served ? (
        <Empty title="This server has no repository yet." />
      ) : id ? (
        <One key={id} id={id} />
      ) : (
        <>
          <AskForm id={served} />
          <CheckChange id={served} />
          <List id={served} />
        </>
      )}
    </div>
  );
}
