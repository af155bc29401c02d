/**
 * Writes `conformance/envelopes/envelope.schema.json`: the JSON Schema of the command envelope with every help result
 * word for word, so that suites that know no code of ours can hold a program against it. `--check` writes nothing and
 * ends with 1 when the file is not what would be written.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishedHelpResults } from '../cli/declaration/help-results.ts';
import { envelopeSchema } from '../contract/envelope/schema.ts';

const FILE = join(import.meta.dirname, '../conformance/envelopes/envelope.schema.json');

/** A line for each definition: what changed shows in a comparison. */
function written({ $defs, ...head }: Readonly<Record<string, unknown>>): string {
  const definitions = Object.entries(Object($defs)).map(
    ([name, schema]) => `${JSON.stringify(name)}:${JSON.stringify(schema)}`,
  );
  return `${JSON.stringify(head).slice(0, -1)},"$defs":{\n${definitions.join(',\n')}\n}}\n`;
}

const text = written(envelopeSchema(publishedHelpResults()));
if (process.argv.includes('--check')) {
  if ((await readFile(FILE, 'utf8').catch(() => '')) !== text) {
    process.stderr.write('conformance/envelopes/envelope.schema.json is stale, run: node scripts/envelope-schema.ts\n');
    process.exitCode = 1;
  }
} else {
  await writeFile(FILE, text);
}
