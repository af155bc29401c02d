import { visibleText } from '../../contract/visible-text.ts';
import type { RunList, RunRow } from '../../supervisor/api/history.ts';
import { styled, type Styling } from './styling.ts';

/** Characters of a reference where a line has no room for all: `cmd-` and 12 that distinguish runs. */
const SHORT_REFERENCE = 16;
const GAP = '  ';
const MICROUSD = 1_000_000;
const SECOND = 1000;
const UNKNOWN = '-';

const COLUMNS: readonly {
  readonly heading: string;
  readonly isNumber: boolean;
  readonly cell: (row: RunRow) => string;
}[] = [
  { heading: 'RUN', isNumber: false, cell: ({ run_ref: reference }) => reference },
  { heading: 'WHEN (UTC)', isNumber: false, cell: ({ at }) => `${at.slice(0, 10)} ${at.slice(11, 19)}` },
  {
    heading: 'STATUS',
    isNumber: false,
    cell: ({ status, code, interrupted }) => (interrupted ? 'interrupted' : (code ?? status ?? UNKNOWN)),
  },
  {
    heading: 'TIME',
    isNumber: true,
    cell: ({ duration_ms: ms }) => cellText(ms, (value) => `${(value / SECOND).toFixed(1)} s`),
  },
  { heading: 'CALLS', isNumber: true, cell: ({ model_calls: calls }) => cellText(calls, String) },
  {
    heading: 'TOKENS',
    isNumber: true,
    cell: ({ tokens }) => (tokens === null ? UNKNOWN : String(tokens.input + tokens.output)),
  },
  {
    heading: 'COST',
    isNumber: true,
    cell: ({ cost_microusd: cost }) => cellText(cost, (value) => `$${(value / MICROUSD).toFixed(4)}`),
  },
  { heading: 'INPUT', isNumber: false, cell: ({ input }) => input ?? UNKNOWN },
];

function cellText(value: number | null, text: (value: number) => string): string {
  return value === null ? UNKNOWN : text(value);
}

/** The runs of a project for a terminal, one on each line (first-day.md §1). */
export function runsTable(
  { runs, total, failedOnly }: RunList & { readonly failedOnly: boolean },
  styling: Styling,
): string {
  if (runs.length === 0) return failedOnly && total > 0 ? 'No run failed.\n' : 'No runs yet.\n';
  const whole = runs.map((row) => COLUMNS.map(({ cell }) => visibleText(cell(row))));
  const isNarrow = styling.width !== null && lineLength(whole) > styling.width;
  const cells = isNarrow
    ? whole.map(([reference = '', ...rest]) => [reference.slice(0, SHORT_REFERENCE), ...rest])
    : whole;
  const widths = widthsOf(cells);
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, column) =>
        COLUMNS[column]?.isNumber === true ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0),
      )
      .join(GAP)
      .trimEnd();
  const lines = [
    styled(line(COLUMNS.map(({ heading }) => heading)), 'bold', styling),
    ...cells.map((row, index) => (runs[index]?.status === 'error' ? styled(line(row), 'red', styling) : line(row))),
  ];
  const rest = failedOnly || runs.length >= total ? [] : [`${runs.length} of ${total} runs; --limit N lists more`];
  return `${[...lines, ...rest].join('\n')}\n`;
}

function widthsOf(cells: readonly (readonly string[])[]): readonly number[] {
  return COLUMNS.map(({ heading }, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
}

function lineLength(cells: readonly (readonly string[])[]): number {
  return widthsOf(cells).reduce((sum, width) => sum + width + GAP.length, -GAP.length);
}
