import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { answerQuestion } from "../api/operations";
import type { Question } from "../api/types";
import { atRepository, nameOfRepository, repositories } from "../app/repositories";
import { Link } from "../app/router";
import { attempt } from "../app/toasts";
import { Prose } from "../text/prose";

// A question only a person can decide. Answering it is all there is to do: whoever waits for it goes on.
export function QuestionCard({ question, keys = false, onAnswered }: { question: Question; keys?: boolean; onAnswered?: () => void }): JSX.Element {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const answer = async (body: { answer?: string; skip?: boolean }): Promise<void> => {
    setBusy(true);
    const done = await attempt(
      () => answerQuestion({ id: question.id }, { ...body, repository_id: question.repository_id }),
      body.skip ? `${question.issue_code}: left to the fixer` : `${question.issue_code}: answered`,
    );
    setBusy(false);
    if (done) onAnswered?.();
  };
  const field = `answer-${question.id}`;
  return (
    <form
      class="question"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) void answer({ answer: text.trim() });
      }}
    >
      <p class="question-head">
        <Link class="code-id" to={atRepository(question.repository_id, `/issues/${encodeURIComponent(question.issue_code)}`)}>
          {question.issue_code}
        </Link>
        <label for={field}>{question.question}</label>
        {repositories.value.length > 1 && <span class="chip chip-line end">{nameOfRepository(question.repository_id)}</span>}
      </p>
      {question.context && <Prose text={question.context} />}
      {question.suggestions.length > 0 && (
        <div class="row" role="group" aria-label="Suggested answers">
          {question.suggestions.map((suggestion, index) => (
            <button key={suggestion} type="button" disabled={busy} data-answer={index + 1} onClick={() => void answer({ answer: suggestion })}>
              {suggestion} {keys && index < 3 && <kbd aria-hidden="true">{index + 1}</kbd>}
            </button>
          ))}
        </div>
      )}
      <textarea id={field} data-row rows={2} value={text} disabled={busy} placeholder="Your answer" onInput={(event) => setText(event.currentTarget.value)} onKeyDown={(event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && text.trim() && void answer({ answer: text.trim() })} />
      <div class="row">
        <button type="submit" class="primary" disabled={busy || !text.trim()}>
          Answer
        </button>
        <button type="button" disabled={busy} onClick={() => void answer({ skip: true })}>
          Let the fixer decide
        </button>
      </div>
    </form>
  );
}
