/**
 * Records what real Clojure gives for every program of the table (`make oracle`, needs the Debian package clojure).
 * With recordings present, a result that differs from the recorded one is reported and the command fails; the new
 * recording is written all the same, so that the difference can be looked at.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Recorded, readRecording, readTable, recordingPath, tableNames } from './table.ts';

function inputLine(source: string): string {
  const text = JSON.stringify(source).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `{"source":${text}}\n`;
}

async function askReference(sources: readonly string[]): Promise<unknown[]> {
  const child = spawn('clojure', [join(import.meta.dirname, 'oracle.clj')], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(sources.map(inputLine).join(''));
  const answers: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line));
  if (answers.length !== sources.length) throw new Error(`the reference answered ${answers.length} of ${sources.length} programs`);
  return answers;
}

let differences = 0;
const tables = tableNames().map((name) => ({ name, rows: readTable(name) }));
const answers = await askReference(tables.flatMap(({ rows }) => rows.map((row) => row.source)));
let next = 0;
for (const { name, rows } of tables) {
  const path = recordingPath(name);
  const before = new Map<string, Recorded>(existsSync(path) ? readRecording(name).map((row) => [row.source, row]) : []);
  const lines = rows.map((row) => {
    const answer = answers[next];
    next += 1;
    const line = JSON.stringify({ source: row.source, ...(typeof answer === 'object' ? answer : {}) });
    const old = before.get(row.source);
    if (old !== undefined && JSON.stringify(old) !== line) {
      differences += 1;
      process.stderr.write(`${name}: recorded ${JSON.stringify(old)}\n      now ${line}\n`);
    }
    return line;
  });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${lines.join('\n')}\n`);
  process.stdout.write(`${name}: ${rows.length} programs\n`);
}
process.stdout.write(`${next} programs recorded, ${differences} differences to the last recording\n`);
process.exitCode = differences === 0 ? 0 : 1;
