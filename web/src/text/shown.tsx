// Text that somebody else wrote, in one line or many: characters that turn or hide text are shown as small boxes with their names, and the
// text's direction does not reach what stands around it.
import type { ComponentChildren, JSX } from "preact";

const names: Record<string, string> = {
  "\u061c": "ALM", "\u200b": "ZWSP", "\u200c": "ZWNJ", "\u200d": "ZWJ", "\u200e": "LRM", "\u200f": "RLM", "\u2028": "LS", "\u2029": "PS", "\u202a": "LRE", "\u202b": "RLE",
  "\u202c": "PDF", "\u202d": "LRO", "\u202e": "RLO", "\u2060": "WJ", "\u2066": "LRI", "\u2067": "RLI", "\u2068": "FSI", "\u2069": "PDI", "\ufeff": "BOM", "\u001b": "ESC", "\u0000": "NUL", "\u0007": "BEL", "\u0008": "BS", "\u007f": "DEL",
};
const oddOnes = /([^\P{Cc}\t\n\r]|[\p{Cf}\u2028\u2029])/u; // tabs and ends of lines are what they are
const code = (mark: string): string => `U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;

export const isOdd = (text: string): boolean => oddOnes.test(text);

// A joiner between emoji belongs to them.
const harmless = (mark: string, before: string): boolean => mark === "\u200d" && /\p{Extended_Pictographic}\ufe0f?$/u.test(before);

// Plain text and odd characters in turn.
function parts(text: string): { text: string; odd: boolean }[] {
  const found: { text: string; odd: boolean }[] = [];
  text.split(oddOnes).forEach((part, index) => {
    const last = found[found.length - 1];
    const odd = index % 2 === 1 && !harmless(part, last?.odd === false ? last.text : "");
    if (!odd && last && !last.odd) last.text += part;
    else if (part !== "") found.push({ text: part, odd });
  });
  return found;
}

const markName = (mark: string): string => names[mark] ?? code(mark);

export function marked(text: string): ComponentChildren {
  if (!isOdd(text)) return text;
  return parts(text).map((part, index) =>
    part.odd ? (
      <span key={index} class="odd" title={code(part.text)}>
        {markName(part.text)}
      </span>
    ) : (
      part.text
    ),
  );
}

// Where there can be no box.
export const bracketed = (text: string): string => parts(text).map((part) => (part.odd ? `[${markName(part.text)}]` : part.text)).join("");

export const Shown = ({ text, ltr = false }: { text: string; ltr?: boolean }): JSX.Element => <bdi dir={ltr ? "ltr" : undefined}>{marked(text)}</bdi>;
