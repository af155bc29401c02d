/**
 * Writes `docs/reference.md`: the settings of the process and the fields of every document, from the tables that read them.
 * `--check` writes nothing and ends with 1 when the file is not what would be written.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsTable } from '../supervisor/config/settings-table.ts';
import { fieldRows } from '../supervisor/documents/fields/field-rows.ts';
import type { FieldRow } from '../supervisor/documents/fields/field-rows.ts';
import type { Shape } from '../supervisor/documents/fields/shape.ts';
import { GATEWAY } from '../supervisor/documents/gateway/fields.ts';
import { HOST } from '../supervisor/documents/host/fields.ts';
import { MANIFEST } from '../supervisor/documents/manifest/fields.ts';
import { OVERRIDE } from '../supervisor/documents/override/fields.ts';
import { PROJECT } from '../supervisor/documents/project/fields.ts';

const FILE = join(import.meta.dirname, '../docs/reference.md');

const DOCUMENTS: readonly (readonly [title: string, shape: Shape])[] = [
  ['Manifest', MANIFEST],
  ['Project', PROJECT],
  ['Host document', HOST],
  ['Component override', OVERRIDE],
  ['Gateway configuration', GATEWAY],
];

/** Within a cell a bar would end it. */
function row({ field, type, required, standard }: FieldRow): string {
  const cells = [`\`${field}\``, type, required ? 'yes' : 'no', standard === null ? '-' : `\`${standard}\``];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Branches of a choice that share a field tell it once. */
function table(shape: Shape): string {
  const rows = [...new Set(fieldRows(shape).map(row))];
  return ['| Field | Value | Required | Default |', '|---|---|---|---|', ...rows].join('\n');
}

const text = [
  '# Reference\n',
  'Written by `scripts/reference-page.ts` from the tables that the program itself reads. `a[]` are the items of a list, `a.*` the values of a map. What holds beyond one field is told by `svc validate`; editors find JSON Schemas of all documents, and of the envelope, in `dist/schemas/`.\n',
  '## Environment variables\n',
  settingsTable(),
  ...DOCUMENTS.map(([title, shape]) => `## ${title}\n\n${table(shape)}\n`),
].join('\n');

if (!process.argv.includes('--check')) {
  await writeFile(FILE, text);
} else if ((await readFile(FILE, 'utf8').catch(() => '')) !== text) {
  process.stderr.write('docs/reference.md is stale, run: node scripts/reference-page.ts\n');
  process.exitCode = 1;
}
