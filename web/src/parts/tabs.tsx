import type { ComponentChildren, JSX } from "preact";
import { useId, useRef } from "preact/hooks";

interface Tab {
  id: string;
  name: string;
  count?: number;
}

interface Props {
  tabs: readonly Tab[];
  current: string;
  label: string;
  onTurn: (id: string) => void;
  children: ComponentChildren;
}

// Arrow keys move between the tabs, as the pattern for tabs wants it; the panel follows at once.
export function Tabs({ tabs, current, label, onTurn, children }: Props): JSX.Element {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const known = tabs.some((tab) => tab.id === current) ? current : tabs[0]!.id;
  const press = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (tabs.findIndex((tab) => tab.id === known) + step + tabs.length) % tabs.length;
    onTurn(tabs[next]!.id);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={press}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}-${tab.id}`}
            aria-selected={tab.id === known}
            aria-controls={`${base}-panel`}
            tabIndex={tab.id === known ? 0 : -1}
            onClick={() => onTurn(tab.id)}
          >
            {tab.name}
            {tab.count !== undefined && tab.count > 0 && <span class="count">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${known}`} tabIndex={0}>
        {children}
      </div>
    </div>
  );
}
