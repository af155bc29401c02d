import { inTerminal } from '../cli/at-terminal.ts';
import { PROGRAM, runToEnd, type Ended } from '../cli/program.ts';
import { runResident, runResidentAtTerminal, type Run } from '../cli/resident/resident.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import type { EnvelopeFacts, FileContent, Mistake, MistakeGroup } from './mistake.ts';

/** What one mistake showed, in the members of `Mistake`. */
export interface Forms {
  readonly status: number;
  readonly terminal: readonly string[];
  readonly pipe: readonly string[];
  readonly envelope: EnvelopeFacts | null;
}

export interface Observed {
  readonly forms: Forms;
  /** Exit statuses that differ from one form to another are a fault of the program. */
  readonly statuses: readonly (number | null)[];
  /** What the terminal got, with its colours. */
  readonly coloured: string;
  /** The whole envelope, parsed; null without one. */
  readonly whole: unknown;
  /** All that a script could read: pipe and whole envelope. */
  readonly published: string;
}

const RUN_REF = /cmd-[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}/g;
const COLOUR = /\u001b\[\d*m/g;
/** What a terminal shows of a run that lasts, and takes away again. */
const LIVE_LINE = /(?:\r[^\r\n]+)+\r(?!\n)/g;
const COLUMNS = 100;

/**
 * Makes one mistake in each form, each in a fresh directory, and tells what was seen. At a terminal, the first of a
 * group has a process of its own, and so has what is typed.
 */
export async function observe(group: MistakeGroup, mistake: Mistake): Promise<Observed> {
  const runAtTerminal =
    mistake === group.mistakes[0] || mistake.stdin !== null ? processAtTerminal : residentAtTerminal;
  const { argv, environment } = mistake;
  const input = mistake.stdin ?? '';
  const [plain, json, terminal] = await Promise.all([
    inDirectory(group, mistake, async (directory) => runResident({ argv, directory, environment, input })),
    inDirectory(group, mistake, async (directory) =>
      runResident({ argv, directory, environment: { ...environment, SVC_OUTPUT: 'json' }, input }),
    ),
    inDirectory(group, mistake, async (directory) =>
      runAtTerminal({
        argv,
        directory,
        environment: { ...environment, TERM: 'xterm-256color' },
        input,
      }),
    ),
  ]);
  const error = errorOf(json.stdout);
  return {
    forms: {
      status: plain.status ?? -1,
      terminal: linesOf(terminal.stdout.replaceAll(COLOUR, '').replaceAll(LIVE_LINE, '')),
      pipe: linesOf(plain.stderr),
      envelope: error,
    },
    statuses: error === null ? [plain.status, terminal.status] : [plain.status, json.status, terminal.status],
    coloured: terminal.stdout,
    whole: error === null ? null : JSON.parse(json.stdout),
    published: `${plain.stdout}${plain.stderr}${json.stdout}${json.stderr}`,
  };
}

function linesOf(text: string): readonly string[] {
  const lines = text.replaceAll(RUN_REF, '<ref>').split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

async function inDirectory(
  group: MistakeGroup,
  mistake: Mistake,
  run: (directory: string) => Promise<Ended>,
): Promise<Ended> {
  const directory = makeWorkDirectory(filesOf(group, mistake));
  try {
    return await run(directory);
  } finally {
    removeWorkDirectory(directory);
  }
}

const processAtTerminal: Run = async ({ argv, ...invocation }) =>
  runToEnd({ ...invocation, ...inTerminal([PROGRAM, ...argv], COLUMNS) });
const residentAtTerminal = runResidentAtTerminal(COLUMNS, processAtTerminal);

function filesOf(group: MistakeGroup, { files, edits }: Mistake): Readonly<Record<string, FileContent>> {
  const texts = new Map(Object.entries({ ...group.files, ...files }).map(([path, content]) => [path, textOf(content)]));
  for (const { file, replace, with: replacement } of edits) {
    const text = texts.get(file);
    const parts = typeof text === 'string' ? text.split(replace) : [];
    if (parts.length !== 2) throw new Error(`${file} holds not exactly once: ${replace}`);
    texts.set(file, parts.join(replacement));
  }
  return Object.fromEntries(texts);
}

function textOf(content: FileContent): FileContent {
  return Array.isArray(content) ? content.map((line) => `${String(line)}\n`).join('') : content;
}

/** What the envelope says of the failure, without members that say nothing; null where there is no envelope. */
function errorOf(stdout: string): EnvelopeFacts | null {
  const envelope = objectOf(stdout.startsWith('{') ? JSON.parse(stdout) : null);
  if (envelope === null || !('error' in envelope)) return null;
  const error = withoutSilent(objectOf(envelope['error']) ?? {});
  const last = objectOf(objectOf(envelope['execution'])?.['last_evaluation_error']);
  return { error, ...(last === null ? {} : { last_evaluation_error: last }) };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

function withoutSilent(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const silent = (value: unknown): boolean =>
    value === null || value === false || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !silent(value)));
}
