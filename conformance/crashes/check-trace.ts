const MEMBERS = ['data', 'run_id', 'schema_version', 'sequence', 'timestamp', 'trace_id', 'type'];
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

interface Line {
  readonly run_id: string;
  readonly trace_id: string;
  readonly schema_version: number;
  readonly sequence: number;
  readonly timestamp: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function isLine(value: unknown): value is Line {
  return (
    typeof value === 'object' &&
    value !== null &&
    JSON.stringify(Object.keys(value).toSorted()) === JSON.stringify(MEMBERS)
  );
}

/**
 * How the text of a published trace of one run departs from evidence.md §2 to §5: whole lines of the seven members, one
 * run and one trace, a sequence that grows, a start first, each evaluation ended once, and an end last.
 */
export function traceDepartures(text: string): readonly string[] {
  if (!text.endsWith('\n')) return ['the last line is not ended'];
  const lines = text
    .slice(0, -1)
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  if (!lines.every(isLine)) return [`a line has not the members ${MEMBERS.join()}`];
  const first = lines[0];
  const last = lines.at(-1);
  const departures: string[] = [];
  const expectThat = (holds: boolean, what: string): void => {
    if (!holds) departures.push(what);
  };
  expectThat(first?.type === 'run-started', 'the first event is no start');
  expectThat(last?.type === 'run-stopped', 'the last event is no end');
  for (const type of ['run-started', 'run-stopped'])
    expectThat(lines.filter((line) => line.type === type).length === 1, `not one ${type}`);
  const open = new Set<unknown>();
  let before = 0;
  for (const { run_id, trace_id, schema_version, sequence, timestamp, type, data } of lines) {
    expectThat(run_id === first?.run_id && trace_id === first.trace_id, `${sequence}: of another run`);
    expectThat(schema_version === 2, `${sequence}: version`);
    expectThat(Number.isSafeInteger(sequence) && sequence > before, `${sequence}: sequence after ${before}`);
    expectThat(TIMESTAMP.test(timestamp), `${sequence}: timestamp`);
    const { evaluation_id } = data;
    if (type === 'evaluation-started') {
      expectThat(!open.has(evaluation_id), `${sequence}: started twice`);
      open.add(evaluation_id);
    }
    if (type === 'evaluation-stopped') expectThat(open.delete(evaluation_id), `${sequence}: ended without start`);
    before = sequence;
  }
  expectThat(open.size === 0, 'an evaluation has no end');
  return departures;
}
