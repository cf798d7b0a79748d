// Why an issue was not fixed, in plain words: what happened, and what a person can do next.
export interface Reason {
  what: string;
  next: "again" | "resume" | "output" | "answer" | "ignore";
}

export const reasons: Record<string, Reason> = {
  no_change: { what: "The fixer changed nothing", next: "again" },
  no_progress: { what: "The fixer made the same change again", next: "again" },
  real_change: { what: "The fixer changed nothing that matters", next: "again" },
  in_scope: { what: "The fixer changed something that it may not change", next: "again" },
  refused: { what: "The fixer changed something that it may not change", next: "again" },
  no_cheats: { what: "The fix silences the check instead of repairing the code", next: "again" },
  verified: { what: "It broke your checks", next: "output" },
  verification_failed: { what: "It broke your checks", next: "output" },
  tests_kept: { what: "Tests that ran before do not run any more", next: "output" },
  reproduced: { what: "The check written for this issue still fails", next: "output" },
  rescanned: { what: "The analyzer still reports it", next: "again" },
  judged: { what: "The judge was not satisfied", next: "again" },
  below_threshold: { what: "The judge was not satisfied", next: "again" },
  unevaluated: { what: "No judge gave a valid verdict", next: "again" },
  in_commit: { what: "It does not work together with the other fixes", next: "output" },
  combination_failed: { what: "It does not work together with the other fixes", next: "output" },
  proof: { what: "Its proof could not be stored", next: "again" },
  evidence_too_weak: { what: "No check could confirm it", next: "again" },
  needs_decision: { what: "Two changes pass everything and behave differently", next: "answer" },
  not_chosen: { what: "Another change for it was better", next: "again" },
  claimed_false_positive: { what: "The fixer says that the code is right", next: "ignore" },
  agent_failed: { what: "The agent failed", next: "again" },
  budget: { what: "The budget was used up", next: "resume" },
  interrupted: { what: "It was interrupted", next: "resume" },
  deferred: { what: "The fixer put it off", next: "again" },
  blocked: { what: "The fixer needs a decision", next: "again" },
  containment: { what: "The agent changed something outside its workspace", next: "again" },
  rejected: { what: "The fixer made a change that was rejected before", next: "again" },
  file_gone: { what: "Its file does not exist any more", next: "again" },
};

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

// What stands in bold. A score says more than that there was one.
export function reasonOf(reason: string | null | undefined, detail = "", score: number | null = null, threshold: number | null = null): Reason {
  const known = reasons[reason ?? ""] ?? { what: reason ? upper(reason.replace(/_/g, " ")) : "It was not fixed", next: "again" as const };
  if ((reason === "judged" || reason === "below_threshold") && score !== null && score >= 0 && threshold) return { ...known, what: `${known.what}: ${score} of 100, ${threshold} needed` };
  if ((reason === "in_scope" || reason === "refused" || reason === "no_progress") && /\btests?\b/.test(detail)) return { ...known, what: "The fixer changed a test instead of the code" };
  if ((reason === "in_scope" || reason === "refused") && /changed (lines|files) are more than/.test(detail)) return { ...known, what: "The change is too large" };
  return known;
}

// The engine's sentence as a sentence of its own, without what the words in bold have said.
export function sentence(detail: string): string {
  const plain = detail.replace(/^no progress: the fixer made the same change as in round \d+, which failed: /, "").replace(/\s*\[P\d+ \w+\]$/, "");
  const text = upper(plain.trim());
  return !text || /[.!?:]$/.test(text) ? text : `${text}.`;
}
