import { writeSync } from 'node:fs';
import { openStandardError } from '../standard-error.ts';

/**
 * Writes lines to a standard error that cannot be opened again, settles, and then writes the last one itself where that
 * cannot wait.
 */
const [, , lines, last] = process.argv;
const stream = openStandardError('/nonexistent/2');
for (let line = 1; line <= Number(lines); line += 1) stream.write(`${line} ${'x'.repeat(990)}\n`);
await stream.settle();
if (last !== undefined) writeSync(2, `${last}\n`);
process.exit(0);
