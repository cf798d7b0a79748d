// A repository about which nothing is known yet: from here to a result in two clicks, and the commands are shown before they may run.
import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { getRepository, getSetup, listAgents } from "../api/operations";
import { useResource } from "../api/resource";
import type { Agent, Repository } from "../api/types";
import { useActions } from "../app/keys";
import { at, Link } from "../app/router";
import { Icon } from "../parts/icon";
import { Loaded } from "../parts/states";
import { canSetUp, SetUp } from "../settings/set_up";
import { TrustPanel, untrustedOf } from "../settings/trust_panel";
import { ImportButton } from "./import_report";
import { review, ReviewButton } from "./review";

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
  const setup = useResource(`setup ${repository.id}`, (signal) => getSetup({ id: repository.id }, { signal }));
  const agents = useResource("agents", (signal) => listAgents({ signal }));
  const box = useRef<HTMLDivElement>(null);
  useActions([{ keys: "Shift+A", what: "Do the next step: write or allow what is shown", group: "First run", run: () => box.current?.querySelector<HTMLElement>("button.primary:not(:disabled)")?.click() }]);
  return (
    <div class="first-run" ref={box}>
      <header class="page-head">
        <div class="grow">
          <h1>Your first proven fix is two clicks away</h1>
          <p>emend works on copies. It does not touch your checkout, and it pushes nothing.</p>
        </div>
      </header>
      <Loaded from={detail} rows={6}>
        {(data) => {
          const asks = untrustedOf(data).length > 0;
          const bare = !asks && canSetUp(setup.data);
          return (
            <ol class="panel">
              <Step mark="1" done title={`Repository: ${repository.name}`}>
                <p class="soft">
                  <code>{data.path}</code>
                  {data.head ? ` at ${data.head.slice(0, 12)}` : ", which has no commit yet"}.{" "}
                  <Link to={at("/settings", { tab: "repositories" })}>Add another</Link>
                </p>
              </Step>
              <Step mark="2" title={asks ? "May emend run these commands?" : bare ? "Which checks must a fix pass?" : "Find what is wrong"}>
                {bare ? (
                  <SetUp repository={repository.id} setup={setup.data!} onDone={() => (setup.reload(), detail.reload())} />
                ) : asks ? (
                  <TrustPanel detail={data} onDone={() => (detail.reload(), void review(repository.id))}>
                    Allow these and review <kbd aria-hidden="true">Shift A</kbd>
                  </TrustPanel>
                ) : (
                  <p class="soft">The installed analyzers and emend's own rules check the last commit. Nothing is changed.</p>
                )}
                <div class="row">
                  <ReviewButton repository={repository.id} name={asks || bare ? "Review without them" : "Review this repository"} primary={!asks && !bare} />
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
        The same in a terminal: <code>emend init</code>, <code>emend trust</code>, <code>emend review</code>, <code>emend fix</code>.
      </p>
    </div>
  );
}
