// Small drawings. They are decoration: what they mean is always also said in words.
import type { JSX } from "preact";

const paths = {
  inbox: "M3 13l2.5-8h11L19 13v5H3zM3 13h5l1 2h4l1-2h5",
  issues: "M11 3a8 8 0 100 16 8 8 0 000-16zM11 7v5M11 15v.5",
  sessions: "M4 5h14M4 11h9M4 17h6M16 13l4 3-4 3z",
  pulls: "M6 6v10M6 4a1.6 1.6 0 100 .1M6 18a1.6 1.6 0 100 .1M16 18a1.6 1.6 0 100 .1M16 16V9a3 3 0 00-3-3h-2M13 3.5L10.5 6 13 8.500",
  insights: "M4 18V10M9 18V4M14 18v-6M19 18V8",
  settings: "M4 6h9M17 6h1M4 12h2M10 12h8M4 18h9M17 18h1M15 4v4M8 10v4M15 16v4",
  search: "M10 4a6 6 0 100 12 6 6 0 000-12zM14.500 14.500L19 19",
  check: "M5 11.500l4 4L17.500 7",
  close: "M6 6l10 10M16 6L6 16",
  alert: "M11 4L3 18h16zM11 9v4M11 15.500v.5",
  question: "M8 8a3 3 0 116 0c0 2-3 2.500-3 5M11 16.500v.5",
  play: "M7 5l10 6-10 6z",
  stop: "M6 6h10v10H6z",
  sun: "M11 7a4 4 0 100 8 4 4 0 000-8zM11 2v2M11 18v2M2 11h2M18 11h2M4.600 4.600L6 6M16 16l1.400 1.400M4.600 17.400L6 16M16 6l1.400-1.400",
  moon: "M18 13A7.500 7.500 0 119 4a6 6 0 009 9z",
  auto: "M11 3a8 8 0 100 16zM11 3a8 8 0 010 16",
  copy: "M8 8h9v10H8zM5 14V4h9",
  file: "M6 3h7l4 4v12H6zM13 3v4h4",
  flag: "M6 19V4h9l-1.500 3L15 10H6",
  folder: "M3 6h6l2 2h8v10H3z",
  branch: "M7 5v12M7 5a1.500 1.500 0 100 .1M7 17.500a1.500 1.500 0 100 .1M15 7a1.500 1.500 0 100 .1M15 7c0 5-8 3-8 8",
  plus: "M11 5v12M5 11h12",
  edit: "M5 17l1-4 8-8 3 3-8 8zM12.500 6.500l3 3",
  down: "M6 9l5 5 5-5",
  right: "M9 6l5 5-5 5",
  keyboard: "M3 6h16v10H3zM6 9h.5M9 9h.5M12 9h.5M15 9h.5M7 13h8",
  refresh: "M17 8a7 7 0 10.500 5M17 4v4h-4",
  comment: "M4 5h14v9h-7l-4 4v-4H4z",
  logout: "M9 4H5v14h4M13 7l4 4-4 4M8 11h9",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 22 22" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
