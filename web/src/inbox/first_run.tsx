// A repository about which nothing is known yet: from here to a result in two clicks, and the commands are shown before they may run.
import type { ComponentChildren, JSX } from "preact";
import { newKey } from "../api/client";
import { getRepository, importReport, listAgents } from "../api/operations";
import { useResource } from "../api/resource";
import type { Agent, Repository } from "../api/types";
import { at, go, Link } from "../app/router";
import { attempt, toast } from "../app/toasts";
import { Icon } from "../parts/icon";
import { Loaded } from "../parts/states";
import { count } from "../parts/words";
import { TrustPanel, untrustedOf } from "../settings/trust_panel";
import { review, ReviewButton } from "./review";

function ImportButton({ repository }: { repository: string }): JSX.Element {
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    await attempt(async () => {
      const text = await file.text();
      const imported = await importReport({ repository_id: repository }, text, { once: newKey() });
      toast(`${count(imported.findings, "finding")} read as ${imported.format}, ${count(imported.issue_codes.length, "issue")}`);
      go(at("/issues"));
    });
  };
  return (
    <label class="button">
      <Icon name="file" /> Import a report…
      <input class="visually-hidden" type="file" onChange={(event) => void take(event.currentTarget.files?.[0])} />
    </label>
  );
}

function Step({ mark, done = false, title, children }: { mark: string; done?: boolean; title: string; children: ComponentChildren }): JSX.Element {
  return (
    <li class="first-step">
      <span class={done ? "first-mark first-done" : "first-mark"} aria-hidden="true">
        {done ? <Icon name="check" /> : mark}
      </span>
      <div class="stack">
        <h2>{title}</h2>
        {children}
      </div>
    </li>
  );
}

const agentWords = (agents: Agent[]): string =>
  agents.length === 0
    ? "No coding agent was found on this machine; fix-its that need none still work."
    : agents.length === 1
      ? `${agents[0]!.name} was found on this machine.`
      : `${agents.map((agent) => agent.name).join(" and ")} were found on this machine: one fixes, another judges.`;

export function FirstRun({ repository }: { repository: Repository }): JSX.Element {
  const detail = useResource(`about ${repository.id}`, (signal) => getRepository({ id: repository.id }, { signal }));
  const agents = useResource("agents", (signal) => listAgents({ signal }));
  return (
    <div class="first-run">
      <header class="page-head">
        <div class="grow">
          <h1>Your first proven fix is two clicks away</h1>
          <p>emend works on copies. It does not touch your checkout, and it pushes nothing.</p>
        </div>
      </header>
      <Loaded from={detail} rows={6}>
        {(data) => {
          const asks = untrustedOf(data).length > 0;
          return (
            <ol class="panel">
              <Step mark="1" done title={`Repository: ${repository.name}`}>
                <p class="soft">
                  <code>{data.path}</code>
                  {data.head ? ` at ${data.head.slice(0, 12)}` : ", which has no commit yet"}.{" "}
                  <Link to={at("/settings", { tab: "repositories" })}>Add another</Link>
                </p>
              </Step>
              <Step mark="2" title={asks ? "May emend run these commands?" : "Find what is wrong"}>
                {asks ? (
                  <TrustPanel detail={data} onDone={() => (detail.reload(), void review(repository.id))}>
                    Allow these and review
                  </TrustPanel>
                ) : (
                  <p class="soft">The installed analyzers and emend's own rules check the last commit. Nothing is changed.</p>
                )}
                <div class="row">
                  <ReviewButton repository={repository.id} name={asks ? "Review without them" : "Review this repository"} primary={!asks} />
                  <ImportButton repository={repository.id} />
                </div>
              </Step>
              <Step mark="3" title="Fix what was found">
                <p class="soft">
                  What needs no AI is fixed free of cost. {agents.data && agentWords(agents.data.data)} <Link to={at("/settings", { tab: "agents" })}>Test the agents</Link>
                </p>
              </Step>
            </ol>
          );
        }}
      </Loaded>
      <p class="hint">
        The same in a terminal: <code>emend trust</code>, <code>emend review</code>, <code>emend fix</code>.
      </p>
    </div>
  );
}
