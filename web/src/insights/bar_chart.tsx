// Bars, drawn as SVG. The same numbers are beside it as a table and as CSV.
import type { JSX } from "preact";
import { Empty } from "../parts/states";
import { type Bar, csv } from "./numbers";

const kWidth = 420;
const kHeight = 170;
const kBottom = 26;
const kTop = 18;
const kLeft = 34;

// A round number at or above the greatest, and what half of it is.
export function roundUp(value: number): number {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 10].map((step) => step * power).find((step) => step >= value) ?? value;
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}

interface Props {
  title: string;
  about: string;
  bars: Bar[];
  names: [string, string];
  label?: (name: string) => string;
  format?: (value: number) => string;
}

export function BarChart({ title, about, bars, names, label = (name) => name, format = (value) => value.toLocaleString("en") }: Props): JSX.Element {
  const most = roundUp(Math.max(0, ...bars.map((bar) => bar.value)));
  const room = (kWidth - kLeft) / Math.max(1, bars.length);
  const width = Math.min(44, room * 0.66);
  const y = (value: number): number => kHeight - kBottom - (value / most) * (kHeight - kBottom - kTop);
  const nothing = bars.every((bar) => bar.value === 0);
  const every = Math.ceil(bars.length / 6); // so that names do not run into each other
  return (
    <section class="card chart" aria-label={title}>
      <header class="row">
        <h2 class="grow">{title}</h2>
        <button type="button" class="small" disabled={nothing} onClick={() => save(`${title.toLowerCase().replace(/\W+/g, "-")}.csv`, csv(bars, names))}>
          CSV
        </button>
      </header>
      <p class="hint">{about}</p>
      {nothing ? (
        <Empty title="No data yet." />
      ) : (
        <>
          <svg viewBox={`0 0 ${kWidth} ${kHeight}`} class="plot" role="img" aria-label={`${title}: ${bars.map((bar) => `${bar.name} ${format(bar.value)}`).join(", ")}`}>
            {[0, most / 2, most].map((value) => (
              <g key={value}>
                <line class="plot-grid" x1={kLeft} x2={kWidth} y1={y(value)} y2={y(value)} />
                <text class="plot-axis" x={kLeft - 6} y={y(value) + 4} text-anchor="end">
                  {format(value)}
                </text>
              </g>
            ))}
            {bars.map((bar, index) => {
              const middle = kLeft + room * (index + 0.5);
              return (
                <g key={bar.name}>
                  {bar.value > 0 && <rect class="plot-bar" x={middle - width / 2} y={y(bar.value)} width={width} height={kHeight - kBottom - y(bar.value)} rx="2" />}
                  {bar.value > 0 && (
                    <text class="plot-value" x={middle} y={y(bar.value) - 4} text-anchor="middle">
                      {format(bar.value)}
                    </text>
                  )}
                  {index % every === 0 && (
                    <text class="plot-axis" x={middle} y={kHeight - 8} text-anchor="middle">
                      {label(bar.name)}
                    </text>
                  )}
                </g>
              );
            })}
          </svg>
          <details>
            <summary>As a table</summary>
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">{names[0]}</th>
                  <th scope="col">{names[1]}</th>
                </tr>
              </thead>
              <tbody>
                {bars.map((bar) => (
                  <tr key={bar.name}>
                    <th scope="row">{bar.name}</th>
                    <td class="number">{format(bar.value)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </>
      )}
    </section>
  );
}
