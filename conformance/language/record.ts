/**
 * Records what real Clojure gives for every program of the table (`make oracle`, needs the Debian package clojure).
 * A result that differs from the recorded one, or that no other implementation could give (an address, a ratio, …)
 * in a row without a mark, is reported and the command fails; the new recording is written all the same, so that it
 * can be looked at.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { startReference } from './reference.ts';
import { reasonToMark } from './reason-to-mark.ts';
import { type Recorded, isRecorded, readRecording, readTable, recordingPath, tableNames } from './table.ts';

function parsed(source: string, answer: unknown): Recorded {
  const row: unknown = { source, ...(typeof answer === 'object' ? answer : {}) };
  if (!isRecorded(row)) throw new Error(`the reference answered ${JSON.stringify(answer)}`);
  return row;
}

/** Without the numbers that the reference's compiler and heap make up; they change from one recording to the next. */
function stable(row: Recorded): Recorded {
  const clean = (text: string): string =>
    text
      .replaceAll(/(eval|\$fn__|__|--)\d+/g, '$1')
      .replaceAll(/@[0-9a-f]{5,8}\b/g, '@')
      .replaceAll(/0x[0-9a-f]{5,8}\b/g, '0x');
  if ('value' in row) return { ...row, value: clean(row.value) };
  return { ...row, message: clean(row.message) };
}

const tables = tableNames().map((name) => ({ name, rows: readTable(name) }));
const reference = startReference();
const answers = await reference.ask(tables.flatMap(({ rows }) => rows.map((row) => row.source)));
await reference.close();
let [next, faults] = [0, 0];
const complain = (text: string): void => {
  faults += 1;
  process.stderr.write(`${text}\n`);
};
for (const { name, rows } of tables) {
  const path = recordingPath(name);
  const before = new Map(existsSync(path) ? readRecording(name).map((row) => [row.source, JSON.stringify(row)]) : []);
  const lines = rows.map((row) => {
    const answer = parsed(row.source, answers[next]);
    next += 1;
    const line = JSON.stringify(stable(answer));
    const old = before.get(row.source);
    if (old !== undefined && old !== line) complain(`${name}: recorded ${old}\n      now ${line}`);
    const reason = row.difference === null ? reasonToMark(answer) : null;
    if (reason !== null) complain(`${name}: ${reason}, mark or remove it: ${line}`);
    return line;
  });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${lines.join('\n')}\n`);
  process.stdout.write(`${name}: ${rows.length} programs\n`);
}
process.stdout.write(`${next} programs recorded, ${faults} complaints\n`);
process.exitCode = faults === 0 ? 0 : 1;
