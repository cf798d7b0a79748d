// The keyboard: what keys do here and now. The innermost view that knows a key gets it; the help sheet and the palette are made of the same list.
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { singleKeys } from "./preferences";

export interface Action {
  keys: string; // "j", "g i", "Shift+X", "Ctrl+K"; empty = only in the palette
  what: string;
  group: string;
  run: () => void;
  hidden?: boolean; // a second key for something that is listed already
}

const layers = signal<Action[][]>([]);
export const actions = (): Action[] => [...layers.value].reverse().flat();

export function useActions(list: Action[]): void {
  const current = useRef(list);
  current.current = list;
  // Before anything is painted: what can be seen can be pressed.
  useLayoutEffect(() => {
    const layer = list.map((action, index) => ({ ...action, run: () => current.current[index]?.run() }));
    layers.value = [...layers.value, layer];
    return () => {
      layers.value = layers.value.filter((known) => known !== layer);
    };
    // The keys of a view do not change while it is shown, what they do may.
  }, [list.map((action) => action.keys + action.what).join("|")]);
}

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && !(target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type));

export function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key : event.key;
  if (event.ctrlKey || event.metaKey) return `Ctrl+${key.length === 1 ? key.toUpperCase() : key}`;
  if (event.altKey) return `Alt+${key}`;
  if (event.shiftKey && /^[A-Z]$/.test(key)) return `Shift+${key}`;
  return key;
}

const kSequenceMs = 1_200;
let begun = "";
let begunAt = 0;

export function press(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  const name = nameOf(event);
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  // In a dialog, keys of the views behind it are off; in a field, too: there Escape only leaves the field.
  if (document.querySelector("dialog[open]")) return false;
  if (name === "Escape" && isTyping(event.target)) {
    (event.target as HTMLElement).blur();
    return false;
  }
  if (plain && name !== "Escape" && (isTyping(event.target) || singleKeys.value === "off")) return false;
  // Enter and space belong to the button or link that has the focus.
  if ((name === "Enter" || name === " ") && event.target instanceof HTMLElement && event.target.closest("button, a, summary, [role=option]")) return false;
  const sequence = begun && Date.now() - begunAt < kSequenceMs ? `${begun} ${name}` : name;
  begun = "";
  const known = actions();
  const action = known.find((candidate) => candidate.keys === sequence) ?? known.find((candidate) => candidate.keys === name);
  if (action && sequence.length >= action.keys.length) {
    event.preventDefault();
    action.run();
    return true;
  }
  if (known.some((candidate) => candidate.keys.startsWith(`${name} `))) {
    begun = name;
    begunAt = Date.now();
    event.preventDefault();
  }
  return false;
}

addEventListener("keydown", press);
