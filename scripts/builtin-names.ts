/**
 * Writes `sandbox/runtime/builtins/names.ts`: the names of the rows of each area, as one text, so that an isolate knows
 * them without making the rows. `--check` writes nothing and ends with 1 when the file is not what would be written.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGE_AREAS } from '../sandbox/language/builtins/rows.ts';
import { AREAS } from '../sandbox/runtime/builtins/areas.ts';
import { testEnvironment } from '../sandbox/runtime/testing/builtins.ts';

const FILE = join(import.meta.dirname, '../sandbox/runtime/builtins/names.ts');
/** Characters of a line of names, within the width of the formatter. */
const LINE_LENGTH_MAX = 108;

/** The text in lines that end between two names. */
function lines(names: readonly string[]): readonly string[] {
  const found: string[] = [];
  let line = ' ';
  for (const name of names) {
    if (line.length + name.length + 1 > LINE_LENGTH_MAX) {
      found.push(line);
      line = '';
    }
    line += `${name} `;
  }
  return [...found, line];
}

function quoted(line: string): string {
  return line.includes("'") ? `"${line}"` : `'${line}'`;
}

const members = [...AREAS, ...LANGUAGE_AREAS].map(({ rows }) => {
  const texts = lines(rows(testEnvironment()).map(({ name }) => name)).map(quoted);
  const [only = ''] = texts;
  const onOneLine = `  ${rows.name}: ${only},`;
  return texts.length === 1 && onOneLine.length <= 120
    ? onOneLine
    : `  ${rows.name}:\n${texts.map((text) => `    ${text}`).join(' +\n')},`;
});
const text = `/** By the rows of each area, their names between spaces. Written by scripts/builtin-names.ts. */
export const NAMES = {
${members.join('\n')}
} as const;
`;
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('sandbox/runtime/builtins/names.ts is stale, run: node scripts/builtin-names.ts\n');
  process.exitCode = 1;
}
