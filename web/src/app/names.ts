// What a page that is named by an id is called for people; the trail and the browser's tab say it.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const names = signal<Readonly<Record<string, string>>>({});

export const nameOf = (id: string): string => names.value[id] ?? id;

export function useName(id: string, name: string | undefined): void {
  useEffect(() => {
    if (name && names.value[id] !== name) names.value = { ...names.value, [id]: name };
  }, [id, name]);
}
