// From chosen issues to a running session: start at once, or let the agent ask first and look at the plan.
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { ApiError, newKey } from "../api/client";
import * as operations from "../api/operations";
import { useResource } from "../api/resource";
import type { Clarity, Plan, StartRequest } from "../api/types";
import { at, go } from "../app/router";
import { Dialog } from "../parts/dialog";
import { Failed } from "../parts/states";
import { count } from "../parts/words";
import { Prose } from "../text/prose";
import { listed } from "./bulk_bar";
import { FixOptions, nothingChosen, optionsOf } from "./fix_options";

type Stage = { name: "choose" } | { name: "busy"; what: string } | { name: "questions"; clarity: Clarity } | { name: "plan"; plan: Plan; clarify: string | null };

interface Props {
  repository: string;
  codes: string[];
  onClose: (done: boolean) => void;
}

function Questions({ clarity, onSend }: { clarity: Clarity; onSend: (answers: { question_id: string; answer: string | null; skip: boolean }[]) => void }): JSX.Element {
  const [given, setGiven] = useState<Record<string, string>>({});
  const all = clarity.questions_by_issue.flatMap((entry) => entry.questions);
  const answers = () => all.map((question) => ({ question_id: question.id, answer: given[question.id]?.trim() || null, skip: !given[question.id]?.trim() }));
  return (
    <form onSubmit={(event) => (event.preventDefault(), onSend(answers()))}>
      {clarity.questions_by_issue.map((entry) =>
        entry.questions.map((question) => (
          <div class="question" key={question.id}>
            <p class="question-head">
              <code class="code">{entry.issue_code}</code>
              <label for={`ask-${question.id}`}>{question.question}</label>
            </p>
            {question.context && <Prose text={question.context} />}
            <div class="row" role="group" aria-label="Suggested answers">
              {(question.suggestions ?? []).map((suggestion) => (
                <button key={suggestion} type="button" aria-pressed={given[question.id] === suggestion} onClick={() => setGiven({ ...given, [question.id]: suggestion })}>
                  {suggestion}
                </button>
              ))}
            </div>
            <textarea id={`ask-${question.id}`} rows={2} value={given[question.id] ?? ""} placeholder="Empty: the fixer decides" onInput={(event) => setGiven({ ...given, [question.id]: event.currentTarget.value })} />
          </div>
        )),
      )}
      <div class="dialog-end">
        <button type="submit" class="primary">
          Go on
        </button>
      </div>
    </form>
  );
}

function PlanView({ plan, onStart }: { plan: Plan; onStart: () => void }): JSX.Element {
  return (
    <>
      <p>
        {count(plan.summary.total_issues, "issue")} in {count(plan.summary.total_steps, "step")} on branch <code>{plan.branch_name}</code>. {plan.estimate.text}
      </p>
      <ol class="plan">
        {plan.execution_steps.map((step) => (
          <li key={step.step}>
            <span class="hint">{step.reason}</span>
            <div class="row">
              {step.issues.map((issue) => (
                <code key={issue.code} class="code">
                  {issue.code}
                </code>
              ))}
            </div>
          </li>
        ))}
      </ol>
      <div class="dialog-end">
        <button type="button" class="primary" autofocus onClick={onStart}>
          Start
        </button>
      </div>
    </>
  );
}

export function FixDialog({ repository, codes, onClose }: Props): JSX.Element {
  const [stage, setStage] = useState<Stage>({ name: "choose" });
  const [error, setError] = useState<ApiError | null>(null);
  const [chosen, setChosen] = useState(nothingChosen);
  const agents = useResource("agents", (signal) => operations.listAgents({ signal }));
  // What it will take, from what earlier sessions took; a plan that is not started costs nothing.
  const estimate = useResource(`estimate ${repository} ${codes.join(" ")}`, () => operations.plan({ repository_id: repository, issue_ids: codes, ignore_questions: true }, { once: newKey() }));
  const key = useRef(newKey()); // one dialog starts at most one session

  const work = async (what: string, task: () => Promise<void>): Promise<void> => {
    const before = stage;
    setError(null);
    setStage({ name: "busy", what });
    try {
      await task();
    } catch (problem) {
      setStage(before);
      setError(problem instanceof ApiError ? problem : new ApiError(0, "unexpected", String(problem)));
    }
  };
  const start = (more: Partial<StartRequest>): Promise<void> =>
    work("Starting", async () => {
      const started = await operations.startFix({ repository_id: repository, issue_ids: codes, ...more, ...optionsOf(chosen) }, { once: key.current });
      onClose(true);
      go(at(`/sessions/${encodeURIComponent(started.session_id)}`));
    });
  const plan = async (clarify: string): Promise<void> => {
    const made = await operations.plan({ repository_id: repository, issue_ids: codes, clarify_session_id: clarify }, { once: newKey() });
    setStage({ name: "plan", plan: made, clarify });
  };
  const clarify = (session: string | null, answers: { question_id: string; answer: string | null; skip: boolean }[] | null): Promise<void> =>
    work("Asking the agent what is unclear. This may take a minute", async () => {
      const clarity = await operations.clarify({ repository_id: repository, issue_ids: codes, session_id: session, answers });
      if (clarity.has_questions) setStage({ name: "questions", clarity });
      else await plan(clarity.session_id);
    });

  return (
    <Dialog title={`Fix ${listed(codes)}`} onClose={() => onClose(false)} wide={stage.name !== "choose"}>
      {error && <Failed error={error} />}
      {stage.name === "choose" && (
        <>
          <p>Fixes are made in a private copy, tested by the project's checks, judged by another agent, and committed to a branch. Your checkout is not touched and nothing is pushed.</p>
          <p class="estimate" role="status">
            {estimate.data ? (
              <>
                <b>
                  {count(estimate.data.summary.total_issues, "issue")} in {count(estimate.data.summary.total_steps, "step")}.
                </b>{" "}
                {chosen.safe ? "Costs nothing." : estimate.data.estimate.text}
              </>
            ) : estimate.error ? (
              estimate.error.message
            ) : (
              "Estimating…"
            )}
          </p>
          <FixOptions chosen={chosen} onChoose={setChosen} agents={agents.data?.data ?? []} />
          <div class="dialog-end">
            <button type="button" onClick={() => void clarify(null, null)}>
              Ask me and plan first
            </button>
            <button type="button" class="primary" autofocus onClick={() => void start({})}>
              Start now
            </button>
          </div>
        </>
      )}
      {stage.name === "busy" && (
        <p role="status" class="busy">
          {stage.what}…
        </p>
      )}
      {stage.name === "questions" && <Questions clarity={stage.clarity} onSend={(answers) => void clarify(stage.clarity.session_id, answers)} />}
      {stage.name === "plan" && <PlanView plan={stage.plan} onStart={() => void start({ plan_id: stage.plan.plan_id, clarify_session_id: stage.clarify })} />}
    </Dialog>
  );
}
