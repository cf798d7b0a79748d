// Why one should believe a fix: the check that tells, on four trees, each with what it printed. Below it, everything else that was run.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Experiment, GateDecision, StoryLine } from "../api/types";
import { EvidenceBadge } from "../parts/evidence";
import { Icon } from "../parts/icon";
import { copyText } from "../parts/states";
import { capital, Chip, reasonWords, span, type Tone } from "../parts/words";
import { Inline } from "../text/prose";
import { marked, Shown } from "../text/shown";

const titles: Record<Experiment["step"], string> = { before: "Before the fix", with: "With the fix", without: "Without the fix again", turned: "Check turned around" };
const notRun: Record<Experiment["step"], string> = {
  before: "No check failed because of the issue.",
  with: "No check ran on the fix.",
  without: "Not needed: no check failed before.",
  turned: "What this check expects was not turned around.",
};
const headlines: Record<string, string> = {
  proven: "The fix is the reason that the check passes now",
  repaired: "The check fails without the fix and passes with it",
  unbroken: "Nothing broke; no check failed because of the issue",
  judged: "Only the judge says that it is right",
  none: "The gate refused it",
};

const kLines = 6;

// The lines that speak of the tests, else those that speak of a failure, else the last ones.
export function excerpt(output: string, tests: readonly string[]): string {
  const lines = output.replace(/\s+$/, "").split("\n");
  if (lines.length <= kLines) return lines.join("\n");
  const short = tests.map((test) => test.split(/::|[./ ]/).pop() ?? test).filter((name) => name.length > 2);
  const named = lines.findIndex((line) => tests.some((test) => line.includes(test)) || short.some((name) => line.includes(name)));
  const failed = lines.findIndex((line) => /\b(not ok|FAIL(ED)?|Error|error:|assert)/.test(line));
  const from = named >= 0 ? named : failed >= 0 ? failed : lines.length - kLines;
  return lines.slice(Math.min(from, lines.length - kLines), Math.min(from, lines.length - kLines) + kLines).join("\n");
}

const asExpected = (one: Experiment): boolean => (one.step === "with") === one.passes;
const treeOf = (one: Experiment): string => (one.step === "turned" && one.probe ? `${one.probe.file}:${one.probe.line}` : `${one.base.slice(0, 12)}${one.patched ? " with the fix" : ""}`);

function Panel({ step, number, one, telling, probed }: { step: Experiment["step"]; number: number; one: Experiment | undefined; telling: boolean; probed: boolean }): JSX.Element {
  const [whole, setWhole] = useState(false);
  if (!one)
    return (
      <li class="proof-step proof-step-none">
        <span class="proof-name">
          {number}. {titles[step]}
        </span>
        <p class="proof-result">
          <span class="lamp lamp-none" aria-hidden="true" /> {step === "turned" && probed ? "Tells nothing" : "Not run"}
        </p>
        <p class="hint">{step === "turned" && probed ? "The check can fail, as What was run says; but it passed before, too." : notRun[step]}</p>
      </li>
    );
  const short = excerpt(one.output, one.tests);
  const long = one.output.trimEnd().split("\n").length > kLines;
  return (
    <li class="proof-step">
      <span class="proof-name">
        {number}. {titles[step]}
      </span>
      <p class="proof-result">
        <span class={one.passes ? "lamp lamp-passes" : "lamp"} aria-hidden="true">
          <Icon name={one.passes ? "check" : "close"} />
        </span>
        {one.passes ? "Passes" : "Fails"}
        {telling && asExpected(one) && (
          <span class="expected">
            <Icon name="check" /> as it should
          </span>
        )}
      </p>
      {one.probe && (
        <pre class="output">
          <span class="minus">− {marked(one.probe.before)}</span>
          {"\n"}
          <span class="plus">+ {marked(one.probe.after)}</span>
        </pre>
      )}
      {(!one.probe || whole) && (
        <pre class="output" tabIndex={0} aria-label={`Output: ${titles[step]}`}>
          {marked((whole ? one.output.trimEnd() : short) || "It printed nothing.")}
        </pre>
      )}
      <p class="proof-foot">
        <span>
          <Shown ltr text={treeOf(one)} />
        </span>
        <span>{span(one.duration_ms)}</span>
        {(long || one.probe) && one.output && (
          <button type="button" class="link" aria-expanded={whole} onClick={() => setWhole(!whole)}>
            {whole ? "Less" : "Full output"}
          </button>
        )}
      </p>
    </li>
  );
}

const steps: Experiment["step"][] = ["before", "with", "without", "turned"];

// probed: something of the check was turned around, but not as an experiment about the issue.
export function Proof({ level, marks, experiments, link, probed = false }: { level: string; marks: readonly string[]; experiments: readonly Experiment[]; link: string; probed?: boolean }): JSX.Element | null {
  const of = (step: Experiment["step"]): Experiment | undefined => experiments.find((one) => one.step === step);
  if (experiments.length === 0) return null;
  const telling = level === "proven" || level === "repaired";
  const [first] = experiments;
  return (
    <section class={`panel proof proof-${level}`} aria-label="Proof">
      <div class="panel-head">
        <EvidenceBadge level={level} marks={marks} />
        <h2>{headlines[level] ?? headlines.none}</h2>
        <span class="end actions">
          <button type="button" class="small" onClick={() => void copyText(link, "Link to the proof")}>
            <Icon name="copy" /> Share the proof
          </button>
        </span>
      </div>
      <p class="proof-check">
        <span class="hint">Check</span> <code>{first!.check}</code>
        {first!.tests.length > 0 && (
          <>
            {" "}
            <span class="hint">{first!.tests.length === 1 ? "test" : "tests"}</span> <code>{first!.tests.slice(0, 3).join(", ")}</code>
            {first!.tests.length > 3 && <span class="hint"> and {first!.tests.length - 3} more</span>}
          </>
        )}
      </p>
      <ol class="proof-steps">
        {steps.map((step, index) => (
          <Panel key={step} step={step} number={index + 1} one={of(step)} telling={telling} probed={probed} />
        ))}
      </ol>
    </section>
  );
}

// What every experiment is about, for the list of all of them.
const kinds: Record<string, string> = {
  base: "Before", patched: "With the fix", base_tests: "Old tests", own_tests: "New tests", without: "Without it", turned: "What tells", reproducer: "Hidden check", probe: "Turned around", final: "Final tree", rescan: "Analyzers", judge: "Judge", level: "Result", mark: "Also", elsewhere: "Elsewhere", near: "Near inputs", executed: "Coverage", note: "Note",
  candidates: "Candidates", contested: "Contested", question: "Question",
};

/** The experiments in the order they were made; the last line is the level. */
export function Story({ lines }: { lines: readonly StoryLine[] }): JSX.Element {
  return (
    <ol class="story">
      {lines.map((line, index) => (
        <li key={index} class={line.experiment === "level" ? "story-level" : undefined}>
          <span class="story-kind">{kinds[line.experiment] ?? capital(reasonWords(line.experiment))}</span>
          <span>
            <Inline text={line.text} />
          </span>
        </li>
      ))}
    </ol>
  );
}

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
            <td>
              <Shown text={clause.detail} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
