// What this browser remembers about its person. Nothing of it is on the server.
import { effect, signal } from "@preact/signals";

function kept<T extends string>(name: string, known: readonly T[], fallback: T): { value: T } & ReturnType<typeof signal<T>> {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(`emend.${name}`);
  } catch {
    // Storage may be switched off; then choices last as long as the page.
  }
  const chosen = signal<T>(known.find((word) => word === stored) ?? fallback);
  effect(() => {
    try {
      localStorage.setItem(`emend.${name}`, chosen.value);
    } catch {
      // see above
    }
  });
  return chosen;
}

export const theme = kept("theme", ["auto", "light", "dark"] as const, "auto");
export const singleKeys = kept("keys", ["on", "off"] as const, "on");
export const diffLayout = kept("diff", ["unified", "split"] as const, "unified");
export const diffWrap = kept("wrap", ["on", "off"] as const, "off");

effect(() => {
  if (theme.value === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme.value);
});
