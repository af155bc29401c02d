/**
 * Writes the table of rooms (scripts/rooms.cjs) into docs/why/maintaining.md. `--check` writes nothing and ends with 1
 * when the table there is not what would be written, or when a path that the page names does not exist.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import rooms from './rooms.cjs';

const PAGE = join(import.meta.dirname, '../docs/why/maintaining.md');
const [BEGIN, END] = ['<!-- rooms: written by scripts/map.ts -->', '<!-- end of rooms -->'];

/** A line for each room; what every room may import is not repeated. */
function renderRooms(): string {
  const lines = rooms.map(({ room, does, imports, tests }) => {
    const allowed = imports.length === 0 ? '' : imports.map((name) => name.replace(/^supervisor\//, '')).join(', ');
    return `| \`${room}/\` | ${does} | ${allowed} | ${tests} |`;
  });
  return ['| Room | What it does | May import | Tests |', '|---|---|---|---|', ...lines].join('\n');
}

const before = await readFile(PAGE, 'utf8');
const [start, end] = [before.indexOf(BEGIN), before.indexOf(END)];
if (start < 0 || end < start) throw new Error('docs/why/maintaining.md has no place for the table of rooms');
const after = `${before.slice(0, start)}${BEGIN}\n\n${renderRooms()}\n\n${before.slice(end)}`;
if (!process.argv.includes('--check')) await writeFile(PAGE, after);
else if (after !== before) {
  process.stderr.write('docs/why/maintaining.md is stale, run: node scripts/map.ts\n');
  process.exitCode = 1;
}
