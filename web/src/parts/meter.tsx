import type { JSX } from "preact";
import { capital } from "./words";

// A bar from 0 to 100 with a line where enough begins. The number stands beside it.
export function Meter({ name, value, line }: { name: string; value: number; line?: number }): JSX.Element {
  const width = Math.max(0, Math.min(100, value));
  return (
    <div class="meter">
      <span class="meter-name">{capital(name)}</span>
      <span class="meter-track" aria-hidden="true">
        <span class={line !== undefined && value < line ? "meter-fill meter-low" : "meter-fill"} style={{ width: `${width}%` }} />
        {line !== undefined && line > 0 && <span class="meter-line" style={{ left: `${line}%` }} />}
      </span>
      <span class="number">{value}</span>
    </div>
  );
}
