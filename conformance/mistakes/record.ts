/**
 * Writes into files of mistakes what the built program shows (`node conformance/mistakes/record.ts FILE…`), with the
 * rows as they stand. What is recorded is a claim to be read: each text must name the problem, the place, the remedy.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { observe } from './forms.ts';
import { parseMistakes } from './mistake.ts';

for (const path of process.argv.slice(2)) {
  const text = readFileSync(path, 'utf8');
  const group = parseMistakes(text);
  const document: { mistakes: object[] } = JSON.parse(text);
  for (const [index, mistake] of group.mistakes.entries()) {
    const { forms } = await observe(group, mistake);
    const { envelope, ...streams } = forms;
    document.mistakes[index] = { ...document.mistakes[index], ...streams, ...(envelope === null ? {} : { envelope }) };
  }
  writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
}
