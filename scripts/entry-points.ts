/**
 * Ends with 1, and lists them, when a file of `supervisor/api/` is more than an entry point: it names what other rooms
 * declare, or puts it together in a few lines. And when the supervisor has more rooms, or more arrows between them
 * (scripts/rooms.cjs), than a person can keep in mind.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import rooms from './rooms.cjs';

const root = join(import.meta.dirname, '..');
const FOLDER = 'supervisor/api';
const MOST_FILES = 19;
const MOST_LINES = 70;
/** Of a function, with its first line and its last. */
const MOST_FUNCTION_LINES = 15;
const SUPERVISOR = 'supervisor/';
const MOST_ROOMS = 16;
const MOST_ARROWS = 70;

/** A row of the table of rooms, as far as arrows go. */
export interface RoomRow {
  readonly room: string;
  readonly imports: readonly string[];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a file has that no entry point has; throws for what is no source. */
export function entryPointFaults(path: string, source: string): readonly string[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join(', ')}`);
  const lineOf = (offset: number): number => source.slice(0, offset).split('\n').length;
  const faults: string[] = [];
  const lines = source.trimEnd().split('\n').length;
  if (lines > MOST_LINES) faults.push(`${path}: ${lines} lines, and may have ${MOST_LINES}`);
  const measure = ({ start, end }: Span): void => {
    const length = lineOf(end) - lineOf(start) + 1;
    if (length > MOST_FUNCTION_LINES)
      faults.push(`${path}:${lineOf(start)}: a function of ${length} lines, which may have ${MOST_FUNCTION_LINES}`);
  };
  const refuseClass = ({ start }: Span): void => {
    faults.push(`${path}:${lineOf(start)}: a class, which belongs to the room that it is about`);
  };
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
    ClassDeclaration: refuseClass,
    ClassExpression: refuseClass,
  }).visit(program);
  return faults;
}

/** Where the supervisor has more rooms, or more arrows between them, than it may. */
export function roomFaults(table: readonly RoomRow[]): readonly string[] {
  const own = table.filter(({ room }) => room.startsWith(SUPERVISOR));
  const arrows = own.flatMap(({ imports }) => imports.filter((name) => name.startsWith(SUPERVISOR))).length;
  return [
    ...(own.length > MOST_ROOMS ? [`${own.length} rooms in ${SUPERVISOR}, which may have ${MOST_ROOMS}`] : []),
    ...(arrows > MOST_ARROWS ? [`${arrows} arrows between its rooms, which may have ${MOST_ARROWS}`] : []),
  ];
}

function run(): void {
  const names = readdirSync(join(root, FOLDER)).filter((name) => name.endsWith('.ts'));
  const faults = [
    ...names.flatMap((name) => entryPointFaults(`${FOLDER}/${name}`, readFileSync(join(root, FOLDER, name), 'utf8'))),
    ...roomFaults(rooms),
    ...(names.length > MOST_FILES ? [`${names.length} files in ${FOLDER}, which may have ${MOST_FILES}`] : []),
    ...(names.length === 0 ? [`no files in ${FOLDER} were seen`] : []),
  ];
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) run();
