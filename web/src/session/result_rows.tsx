// The parts of a result: its figures, and one row for each issue, by what became of it.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { SessionSnapshot } from "../api/types";
import { at, Link } from "../app/router";
import type { Asking } from "../issues/bulk_bar";
import { CheckOutput } from "../issues/check_output";
import { EvidenceBadge } from "../parts/evidence";
import { Icon } from "../parts/icon";
import { reasonOf, sentence } from "../parts/reasons";
import { Chip, count, money, placeOf, SeverityMark, span } from "../parts/words";
import { plainText } from "../text/plain";
import { Shown } from "../text/shown";
import { evidenceCounts, type Outcome } from "./outcome";
import type { SessionState } from "./session_state";

// "expected $0.40, 30 % more", by tokens where there is no price; empty: nothing was expected.
export function forecastWords({ forecast, consumed }: Pick<SessionSnapshot, "forecast" | "consumed">): string {
  if (!forecast) return "";
  const { cost_usd: byPrice, tokens: byTokens } = forecast.off_percent;
  const priced = forecast.cost_usd !== null && consumed?.cost_usd !== null && byPrice !== null;
  const off = priced ? byPrice : byTokens;
  const expected = priced ? money(forecast.cost_usd!) : count(forecast.tokens, "token");
  if (off === null) return `expected ${expected}`;
  return `expected ${expected}, it was ${off === 0 ? "just that" : `${Math.abs(off)} % ${off > 0 ? "more" : "less"}`}`;
}

export const issuePath = (code: string): string => at(`/issues/${encodeURIComponent(code)}`);

export function Figures({ snapshot, state, fixed }: { snapshot: SessionSnapshot; state: SessionState; fixed: Outcome[] }): JSX.Element {
  const [best, ...others] = evidenceCounts(fixed);
  const used = snapshot.consumed;
  const sum = (of: (one: Outcome) => number): number => fixed.reduce((total, one) => total + of(one), 0);
  const figure = (name: string, value: ComponentChildren, more: string): JSX.Element => (
    <div class="tally-one">
      <dt>{name}</dt>
      <dd>
        {value}
        <small>{more}</small>
      </dd>
    </div>
  );
  return (
    <dl class="panel tally">
      {figure("Evidence", best ?? "none", others.length > 0 ? `and ${others.join(", ")}` : fixed.length === 0 ? "no fix passed" : "")}
      {figure(
        "Size",
        <>
          <span class="plus">+{sum((one) => one.added)}</span> <span class="minus">−{sum((one) => one.removed)}</span>
        </>,
        count((snapshot.commits ?? []).length, "commit"),
      )}
      {figure("Cost", !used || used.cost_usd === null ? "unknown" : money(used.cost_usd), !used || used.cost_usd === null ? "the agents report no price" : fixed.length > 0 ? `${money(used.cost_usd / fixed.length)} for each fix` : "nothing was bought with it")}
      {figure("Time", span(snapshot.duration_ms ?? 0), `${count(used?.agent_runs ?? 0, "agent run")}, ${count(state.checks.length, "check run")}`)}
    </dl>
  );
}

const strategyWords: Record<string, string> = { "per-issue": "one issue a run", batched: "several issues a run", "one-call": "all issues in one run" };

// How good the forecast was, and what each fixed issue took: for the next session.
export function Cost({ snapshot }: { snapshot: SessionSnapshot }): JSX.Element | null {
  const each = snapshot.per_resolved_issue;
  const forecast = forecastWords(snapshot);
  if (!each && !forecast) return null;
  const took = each && [each.cost_usd !== null && money(each.cost_usd), each.tokens > 0 && count(each.tokens, "token"), `${span(each.agent_time_ms)} of agents`, `${span(each.wall_ms)} in all`].filter(Boolean).join(", ");
  return (
    <p class="hint">
      {took && `For each fix${each.strategy in strategyWords ? ` (${strategyWords[each.strategy]})` : ""}: ${took}. `}
      {forecast && `Forecast: ${forecast}.`}
    </p>
  );
}

function Head({ outcome, side, children }: { outcome: Outcome; side: ComponentChildren; children: ComponentChildren }): JSX.Element {
  const { issue } = outcome;
  return (
    <>
      <SeverityMark severity={issue.severity} />
      <div class="item-title">
        <Link class="code-id" to={issuePath(issue.code)}>
          {issue.code}
        </Link>
        <Link class="plain" to={issuePath(issue.code)} title={issue.title}>
          <Shown text={issue.title} />
        </Link>
      </div>
      <div class="item-side">{side}</div>
      <div class="item-more">{children}</div>
    </>
  );
}

interface RowProps {
  outcome: Outcome;
  chosen: boolean;
  onChoose: () => void;
}

export function FixedRow({ outcome, chosen, onChoose, accept, reject }: RowProps & { accept: () => void; reject: () => void }): JSX.Element {
  const { issue } = outcome;
  return (
    <li class={chosen ? "item chosen" : "item"} aria-current={chosen ? "true" : undefined} onClick={onChoose}>
      <Head outcome={outcome} side={<EvidenceBadge level={outcome.level} />}>
        <span class="why">
          <span class="path">
            <Shown ltr text={placeOf(issue)} />
          </span>{" "}
          <span class="number">
            <span class="plus">+{outcome.added}</span> <span class="minus">−{outcome.removed}</span>
          </span>{" "}
          {outcome.score !== null && `judge ${outcome.score} of 100`}
          {outcome.rounds > 1 && `, attempt ${outcome.rounds}`}
        </span>
        <span class="actions">
          {outcome.accepted ? (
            <Chip tone="good">{plainText(outcome.who ? `accepted by ${outcome.who}` : "accepted")}</Chip>
          ) : (
            <button type="button" class="small" onClick={accept}>
              Accept<span class="visually-hidden"> the fix of {issue.code}</span> {chosen && <kbd aria-hidden="true">a</kbd>}
            </button>
          )}
          {issue.status === "RESOLVED" && (
            <button type="button" class="small bare" onClick={reject}>
              Reject<span class="visually-hidden"> the fix of {issue.code}</span> {chosen && <kbd aria-hidden="true">x</kbd>}
            </button>
          )}
        </span>
      </Head>
    </li>
  );
}

export function NeedsRow({ outcome, chosen, onChoose, ask }: RowProps & { ask: (asking: Asking) => void }): JSX.Element {
  const [open, setOpen] = useState(false);
  const { issue } = outcome;
  const why = reasonOf(outcome.reason, outcome.detail, outcome.score, outcome.threshold);
  const mine = issue.status === "FAILED" || issue.status === "OPEN"; // else it was decided meanwhile
  return (
    <li class={chosen ? "item chosen" : "item"} aria-current={chosen ? "true" : undefined} onClick={onChoose}>
      <Head
        outcome={outcome}
        side={
          <span class="path clip">
            <Shown ltr text={placeOf(issue)} />
          </span>
        }
      >
        <span class="why why-short" title={outcome.detail}>
          <b>{why.what}.</b> <Shown text={sentence(outcome.detail)} />
          {outcome.rounds > 1 && ` Tried ${outcome.rounds} times.`}
        </span>
        <span class="actions">
          {mine && why.next === "answer" && (
            <Link class="button small primary" to={at("/")}>
              Answer the question<span class="visually-hidden"> about {issue.code}</span>
            </Link>
          )}
          {mine && why.next === "ignore" && (
            <button type="button" class="small primary" onClick={() => ask({ what: "ignore", codes: [issue.code] })}>
              It is right: ignore…<span class="visually-hidden"> {issue.code}</span>
            </button>
          )}
          {mine && (
            <button type="button" class="small" onClick={() => ask({ what: "fix", codes: [issue.code] })}>
              Try again…<span class="visually-hidden"> {issue.code}</span>
            </button>
          )}
          <button type="button" class="small bare" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? "Hide the output" : "Show the output"}
            <span class="visually-hidden"> of {issue.code}</span>
          </button>
          {mine && why.next !== "ignore" && (
            <button type="button" class="small bare" onClick={() => ask({ what: "ignore", codes: [issue.code] })}>
              Ignore…<span class="visually-hidden"> {issue.code}</span>
            </button>
          )}
        </span>
      </Head>
      {open && (
        <div class="item-below">
          <CheckOutput issue={issue} />
        </div>
      )}
    </li>
  );
}

export function QuietRow({ outcome }: { outcome: Outcome }): JSX.Element {
  return (
    <li class="item">
      <Head outcome={outcome} side={<Chip tone="quiet">{outcome.state === "taken back" ? plainText(`${outcome.how}${outcome.who ? ` by ${outcome.who}` : ""}`) : "not tried"}</Chip>}>
        <span class="why">
          <span class="path">
            <Shown ltr text={placeOf(outcome.issue)} />
          </span>
        </span>
      </Head>
    </li>
  );
}

export function Group({ title, icon, items, hint, end, children }: { title: string; icon: "check" | "alert" | "stop"; items: number; hint?: string; end?: ComponentChildren; children: ComponentChildren }): JSX.Element | null {
  if (items === 0) return null;
  return (
    <section class="panel" aria-label={title}>
      <div class="panel-head">
        <Icon name={icon} />
        <h2>{title}</h2>
        <span class="count">{items}</span>
        {hint && <span class="hint wide-only">{hint}</span>}
        <span class="end actions">{end}</span>
      </div>
      <ul>{children}</ul>
    </section>
  );
}
