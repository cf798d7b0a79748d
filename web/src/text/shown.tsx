// Text that somebody else wrote, in one line or many: characters that turn or hide text are shown as small boxes with their names, and the
// text's direction does not reach what stands around it.
import type { ComponentChildren, JSX } from "preact";

const names: Record<string, string> = {
  "\u061c": "ALM", "\u200b": "ZWSP", "\u200c": "ZWNJ", "\u200d": "ZWJ", "\u200e": "LRM", "\u200f": "RLM", "\u2028": "LS", "\u2029": "PS", "\u202a": "LRE", "\u202b": "RLE",
  "\u202c": "PDF", "\u202d": "LRO", "\u202e": "RLO", "\u2060": "WJ", "\u2066": "LRI", "\u2067": "RLI", "\u2068": "FSI", "\u2069": "PDI", "\ufeff": "BOM", "\u001b": "ESC", "\u0000": "NUL", "\u0007": "BEL", "\u0008": "BS", "\u007f": "DEL",
};
const isOdd = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const odd = /([\p{Cc}\p{Cf}\u2028\u2029])/u;
const code = (mark: string): string => `U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;

// Tabs and ends of lines are what they are; a joiner between emoji belongs to them.
const harmless = (mark: string, before: string): boolean => mark === "\n" || mark === "\t" || mark === "\r" || (mark === "\u200d" && /\p{Extended_Pictographic}\ufe0f?$/u.test(before));

export function marked(text: string): ComponentChildren {
  if (!isOdd.test(text)) return text;
  let before = "";
  return text.split(odd).map((part, index) => {
    const plain = index % 2 === 0 || harmless(part, before);
    before = part;
    return plain ? (
      part
    ) : (
      <span key={index} class="odd" title={code(part)}>
        {names[part] ?? code(part)}
      </span>
    );
  });
}

export const Shown = ({ text, ltr = false }: { text: string; ltr?: boolean }): JSX.Element => <bdi dir={ltr ? "ltr" : undefined}>{marked(text)}</bdi>;
