// What this browser remembers about its person. Nothing of it is on the server.
import { effect, signal } from "@preact/signals";

function keptText<T extends string>(name: string, fallback: T, isKnown: (stored: string) => stored is T): { value: T } {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(`emend.${name}`);
  } catch {
    // Storage may be switched off; then choices last as long as the page.
  }
  const chosen = signal<T>(stored !== null && isKnown(stored) ? stored : fallback);
  effect(() => {
    try {
      localStorage.setItem(`emend.${name}`, chosen.value);
    } catch {
      // see above
    }
  });
  return chosen;
}

const kept = <T extends string>(name: string, known: readonly T[], fallback: T): { value: T } => keptText(name, fallback, (stored): stored is T => (known as readonly string[]).includes(stored));

export const theme = kept("theme", ["auto", "light", "dark"] as const, "auto");
export const singleKeys = kept("keys", ["on", "off"] as const, "on");
export const diffLayout = kept("diff", ["unified", "split"] as const, "unified");
export const notifications = kept("notify", ["off", "on"] as const, "off");
export const editor = kept("editor", ["none", "vscode", "cursor", "zed", "idea", "custom"] as const, "none");
export const editorTemplate = keptText<string>("editor-template", "", (_stored): _stored is string => true);
export const columns = keptText<string>("columns-hidden", "", (_stored): _stored is string => true); // hidden ones, comma separated
export const diffWrap = kept("wrap", ["on", "off"] as const, "off");

effect(() => {
  if (theme.value === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme.value);
});
