// The charts, drawn as SVG: areas for what is open, bars for what a week came to. The reading under the pointer stands above, so that nothing is covered.
import type { JSX } from "preact";
import type { TrendWeek } from "../api/types";
import { money, severities } from "../parts/words";
import { Axis, Chart, Days, kBottom, kHeight, kLeft, kRight, kTop, useReading, useWidth } from "./chart";
import { type Bar, dayName, openOf, roundUp, stacked } from "./numbers";

const yOf = (value: number, most: number): number => kHeight - kBottom - (value / most) * (kHeight - kBottom - kTop);
const whole = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 1 });
const short = (value: number): string => (value >= 10_000 ? `${whole(value / 1_000)}k` : whole(value)); // on an axis

export function OpenChart({ weeks }: { weeks: readonly TrendWeek[] }): JSX.Element {
  const [box, width] = useWidth();
  const { at, move, leave, press } = useReading(weeks.length);
  const most = roundUp(Math.max(1, ...weeks.map(openOf)));
  const bands = stacked(weeks);
  const x = (index: number): number => (weeks.length === 1 ? (kLeft + width - kRight) / 2 : kLeft + ((width - kLeft - kRight) * index) / (weeks.length - 1));
  const now = weeks[at]!;
  const line = (edges: readonly number[]): string => edges.map((value, index) => `${x(index).toFixed(1)},${yOf(value, most).toFixed(1)}`).join(" ");
  const shown = severities.filter((severity) => bands.some((band) => band.severity === severity));
  return (
    <Chart
      title="Open issues by severity"
      empty={bands.length === 0}
      head={["Week of", "All", ...shown]}
      rows={weeks.map((week) => [week.week, openOf(week).toLocaleString("en"), ...shown.map((severity) => week.open[severity].toLocaleString("en"))])}
      reading={
        <>
          <span>
            {dayName(now.week)} <b>{openOf(now).toLocaleString("en")}</b>
          </span>
          {shown.map((severity) => (
            <span key={severity}>
              <i class={`spread-${severity}`} aria-hidden="true" /> {severity} <b>{now.open[severity].toLocaleString("en")}</b>
            </span>
          ))}
        </>
      }
    >
      <div ref={box}>
        <svg class="plot" width={width} height={kHeight} viewBox={`0 0 ${width} ${kHeight}`} role="img" tabindex={0} aria-label={`Open issues: ${openOf(weeks[0]!)} in the week of ${dayName(weeks[0]!.week)}, ${openOf(weeks[weeks.length - 1]!)} now. Arrow keys read week by week.`} onMouseMove={(event) => move(event, x)} onMouseLeave={leave} onKeyDown={press}>
          <Axis width={width} most={most} format={short} />
          {bands.map((band) => (
            <g key={band.severity} class={`band band-${band.severity}`}>
              <polygon points={`${line(band.edges.map((edge) => edge.high))} ${line(band.edges.map((edge) => edge.low)).split(" ").reverse().join(" ")}`} />
              <polyline points={line(band.edges.map((edge) => edge.high))} />
            </g>
          ))}
          <line class="plot-at" x1={x(at)} x2={x(at)} y1={kTop} y2={kHeight - kBottom} />
          {bands.map((band) => (
            <circle key={band.severity} class={`dot-${band.severity}`} cx={x(at)} cy={yOf(band.edges[at]!.high, most)} r="3.5" />
          ))}
          <Days days={weeks.map((week) => week.week)} x={x} width={width} />
        </svg>
      </div>
    </Chart>
  );
}

export function BarChart({ title, what, bars, format = whole, more }: { title: string; what: string; bars: readonly Bar[]; format?: (value: number) => string; more?: (index: number) => string }): JSX.Element {
  const [box, width] = useWidth();
  const { at, move, leave, press } = useReading(bars.length);
  const most = roundUp(Math.max(0, ...bars.map((bar) => bar.value ?? 0)));
  const room = (width - kLeft - kRight) / Math.max(1, bars.length);
  const thick = Math.min(40, room * 0.64);
  const x = (index: number): number => kLeft + room * (index + 0.5);
  const said = (value: number | null): string => (value === null ? "–" : format(value));
  return (
    <Chart
      title={title}
      empty={bars.every((bar) => !bar.value)}
      head={["Week of", what]}
      rows={bars.map((bar) => [bar.name, said(bar.value)])}
      reading={
        <>
          <span>
            Week of {dayName(bars[at]!.name)} <b>{said(bars[at]!.value)}</b>
          </span>
          {more && <span>{more(at)}</span>}
        </>
      }
    >
      <div ref={box}>
        <svg class="plot" width={width} height={kHeight} viewBox={`0 0 ${width} ${kHeight}`} role="img" tabindex={0} aria-label={`${title}: ${said(bars[bars.length - 1]!.value)} this week. Arrow keys read week by week.`} onMouseMove={(event) => move(event, x)} onMouseLeave={leave} onKeyDown={press}>
          <Axis width={width} most={most} format={format} />
          {bars.map((bar, index) => bar.value !== null && bar.value > 0 && <rect key={bar.name} class={index === at ? "plot-bar plot-now" : "plot-bar"} x={x(index) - thick / 2} y={yOf(bar.value, most)} width={thick} height={kHeight - kBottom - yOf(bar.value, most)} rx="2" />)}
          <Days days={bars.map((bar) => bar.name)} x={x} width={width} />
        </svg>
      </div>
    </Chart>
  );
}

export const dollars = (value: number): string => (value === 0 ? "$0" : money(value));
