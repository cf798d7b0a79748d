// The frame of a chart: title, the reading under the pointer, the drawing, and the same numbers as a table.
import type { ComponentChildren, JSX } from "preact";
import { useCallback, useRef, useState } from "preact/hooks";
import { Empty } from "../parts/states";
import { dayName } from "./numbers";

export const kHeight = 220;
export const kBottom = 24;
export const kTop = 14;
export const kLeft = 44;
export const kRight = 8;

export function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

// Charts are drawn for the room there is, not scaled into it. The box may go and come back (as a table, as a chart).
export function useWidth(): [(box: HTMLDivElement | null) => void, number] {
  const observer = useRef<ResizeObserver | null>(null);
  const [width, setWidth] = useState(560);
  const box = useCallback((element: HTMLDivElement | null) => {
    observer.current?.disconnect();
    observer.current = null;
    if (!element || typeof ResizeObserver === "undefined") return;
    observer.current = new ResizeObserver(([entry]) => setWidth(Math.max(240, Math.round(entry!.contentRect.width))));
    observer.current.observe(element);
  }, []);
  return [box, width];
}

export function Axis({ width, most, format }: { width: number; most: number; format: (value: number) => string }): JSX.Element {
  const y = (value: number): number => kHeight - kBottom - (value / most) * (kHeight - kBottom - kTop);
  return (
    <>
      {[0, 0.25, 0.5, 0.75, 1].map((part) => (
        <g key={part}>
          <line class="plot-grid" x1={kLeft} x2={width - kRight} y1={y(most * part)} y2={y(most * part)} />
          {part !== 0.25 && part !== 0.75 && (
            <text class="plot-axis" x={kLeft - 6} y={y(most * part) + 4} text-anchor="end">
              {format(most * part)}
            </text>
          )}
        </g>
      ))}
    </>
  );
}

// Names below, as many as have room.
export function Days({ days, x, width }: { days: readonly string[]; x: (index: number) => number; width: number }): JSX.Element {
  const every = Math.max(1, Math.ceil(days.length / Math.max(2, Math.floor((width - kLeft) / 70))));
  return (
    <>
      {days.map(
        (day, index) =>
          index % every === 0 && (
            <text key={day} class="plot-axis" x={Math.min(x(index), width - 22)} y={kHeight - 6} text-anchor="middle">
              {dayName(day)}
            </text>
          ),
      )}
    </>
  );
}

interface Props {
  title: string;
  empty: boolean;
  reading: ComponentChildren;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  children: ComponentChildren;
}

export function Chart({ title, empty, reading, head, rows, children }: Props): JSX.Element {
  const [table, setTable] = useState(false);
  return (
    <section class="panel chart" aria-label={title}>
      <div class="panel-head">
        <h2>{title}</h2>
        {!empty && (
          <button type="button" class="link end" aria-pressed={table} onClick={() => setTable(!table)}>
            {table ? "Show as a chart" : "Show as a table"}
          </button>
        )}
      </div>
      <div class="panel-body">
        {empty ? (
          <Empty title="No data yet." />
        ) : table ? (
          <div class="table-scroll" tabIndex={0} role="group" aria-label={`${title}, as a table`}>
            <table class="table">
              <thead>
                <tr>
                  {head.map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row[0]}>
                    {row.map((text, index) =>
                      index === 0 ? (
                        <th key={index} scope="row">
                          {text}
                        </th>
                      ) : (
                        <td key={index} class="number">
                          {text}
                        </td>
                      ),
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ) : (
          <>
            <p class="reading">{reading}</p>
            {children}
          </>
        )}
      </div>
    </section>
  );
}

// Which week the pointer or the arrow keys are at; the last one when there is none.
export function useReading(length: number): { at: number; move: (event: MouseEvent, x: (index: number) => number) => void; leave: () => void; press: (event: KeyboardEvent) => void } {
  const [at, setAt] = useState<number | null>(null);
  const last = length - 1;
  return {
    at: at === null ? last : Math.min(at, last),
    leave: () => setAt(null),
    move: (event, x) => {
      const place = event.clientX - (event.currentTarget as Element).getBoundingClientRect().left;
      let best = 0;
      for (let index = 1; index < length; ++index) if (Math.abs(x(index) - place) < Math.abs(x(best) - place)) best = index;
      setAt(best);
    },
    press: (event) => {
      const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
      if (step === 0) return;
      event.preventDefault();
      setAt(Math.max(0, Math.min(last, (at ?? last) + step)));
    },
  };
}
