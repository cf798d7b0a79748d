// One line of code with its colours and with the words that changed.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { marked } from "../text/shown";
import type { DiffLine, Range } from "./diff";
import type { Token } from "./highlight";

type Highlighter = typeof import("./highlight");
export const highlighter = signal<Highlighter | null>(null);
let asked = false;

// Diffs are drawn plain until the colours are there.
export function wantColours(): void {
  if (asked) return;
  asked = true;
  import("./highlight").then((loaded) => (highlighter.value = loaded), () => (asked = false));
}

// A text cut where a token or a mark begins or ends.
export function pieces(text: string, tokens: readonly Token[], marks: readonly Range[]): { text: string; kind: string; changed: boolean }[] {
  const cuts = new Set([0, text.length]);
  for (const [from, to] of [...tokens, ...marks] as readonly (readonly [number, number, ...unknown[]])[]) cuts.add(from).add(to);
  const places = [...cuts].filter((place) => place <= text.length).sort((a, b) => a - b);
  const inside = (list: readonly (readonly [number, number, ...unknown[]])[], place: number): number => list.findIndex(([from, to]) => from <= place && place < to);
  return places.slice(0, -1).map((from, index) => {
    const token = inside(tokens, from);
    return { text: text.slice(from, places[index + 1]), kind: token >= 0 ? tokens[token]![2] : "", changed: inside(marks, from) >= 0 };
  });
}

export function codeOf(line: Pick<DiffLine, "text" | "marks">, tokens: readonly Token[]): ComponentChildren {
  if (tokens.length === 0 && line.marks.length === 0) return marked(line.text);
  return pieces(line.text, tokens, line.marks).map((piece, index) => {
    const inner = piece.kind ? (
      <span key={index} class={piece.kind}>
        {marked(piece.text)}
      </span>
    ) : (
      marked(piece.text)
    );
    return piece.changed ? (
      <span key={index} class="diff-mark">
        {inner}
      </span>
    ) : (
      inner
    );
  });
}
