/**
 * Pages whose prose lies in `templates/NAME.md` and whose tables come from the program. A template holds two kinds of
 * marks:
 * `{{part}}` alone on a line stands for a made part, and a block `{{fields shape` … `}}` of lines `field: what it
 * means` becomes the table of these fields. A part or field that is not told, and one that is told and does not exist,
 * fail.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldRows, type FieldRow } from '../../supervisor/documents/fields/field-rows.ts';
import type { Shape } from '../../supervisor/documents/fields/shape.ts';

export interface TemplateParts {
  /** Markdown by the name of its mark. */
  readonly parts?: Readonly<Record<string, string>>;
  /** Shapes by the name that their blocks of fields give. */
  readonly shapes?: Readonly<Record<string, Shape>>;
  /** Fields below these are told by another page. */
  readonly omitted?: readonly string[];
}

/** The page that a template and its parts make. */
export function fromTemplate(
  name: string,
  { parts = {}, shapes = {}, omitted: unreported = [] }: TemplateParts,
): string {
  const template = readFileSync(join(import.meta.dirname, 'templates', `${name}.md`), 'utf8');
  const described = new Set<string>();
  const page = template
    .replaceAll(/^\{\{fields (\S+)\n(.*?)^\}\}$/gms, (_, shape: string, block: string) =>
      table(shape, rowsByField(shapes[shape]), block, described),
    )
    .replaceAll(/^\{\{(\S+)\}\}$/gm, (_, part: string) => {
      described.add(part);
      return parts[part] ?? fail(`${name}: no part ${part}`);
    });
  const fields = Object.entries(shapes).flatMap(([shape, of]) =>
    [...rowsByField(of).keys()]
      .filter((field) => !unreported.some((prefix) => field.startsWith(prefix)))
      .map((field) => `${shape} ${field}`),
  );
  const missing = [...Object.keys(parts), ...fields].filter((item) => !described.has(item));
  return missing.length === 0 ? page : fail(`${name}: not told: ${missing.join(', ')}`);
}

/** Text in a cell of a table: a bar would end it. */
function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}

function rowsByField(shape: Shape | undefined): ReadonlyMap<string, readonly FieldRow[]> {
  return Map.groupBy(shape === undefined ? [] : fieldRows(shape), ({ field }) => field);
}

function table(
  shape: string,
  rows: ReadonlyMap<string, readonly FieldRow[]>,
  block: string,
  reported: Set<string>,
): string {
  const described = block
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, field = '', meaning = ''] = /^(\S+): (.+)$/.exec(line) ?? fail(`not a field and its meaning: ${line}`);
      reported.add(`${shape} ${field}`);
      return { field, meaning, of: rows.get(field) ?? fail(`no field ${field} in ${shape}`) };
    });
  // What another table says of an object, it says of its members, too.
  const parents = described.filter(({ meaning }) => meaning.startsWith('As for ')).map(({ field }) => field);
  const isRepeated = (field: string): boolean =>
    parents.some((parent) => field.startsWith(`${parent}.`) || field.startsWith(`${parent}[]`));
  const lines = described
    .filter(({ field }) => !isRepeated(field))
    .map(({ field, of, meaning }) => tableRow(field, of, meaning));
  return ['| Field | Value | Meaning |', '|---|---|---|', ...lines].join('\n');
}

/** Forms of a choice that share a field have one row for it, with all of its values. Most fields are optional. */
function tableRow(field: string, rows: readonly FieldRow[], meaning: string): string {
  const values = [...new Set(rows.flatMap(({ type }) => (type.startsWith('"') ? type.split(' or ') : [type])))].join(
    ' or ',
  );
  const defaults = [
    ...new Set(
      rows.map(({ required, standard }) =>
        required ? 'required' : standard === null ? 'optional' : `default \`${standard}\``,
      ),
    ),
  ];
  const shown = defaults.length === 1 && defaults[0] === 'optional' ? '' : `; ${defaults.join(' or ')}`;
  return `| \`${field}\` | ${cell(short(values))}${shown} | ${cell(meaning)} |`;
}

/** The words of a type in a cell: a least size of 1 says no more than that something is there. */
function short(type: string): string {
  return type
    .replaceAll(/, 1 to (\d+) bytes/g, ' ≤ $1 bytes')
    .replaceAll(/\b(list|map) of [01] to (\d+):/g, '$1 ≤ $2:')
    .replaceAll('object, one of several forms', 'object')
    .replaceAll('" or "', '", "');
}

function fail(message: string): never {
  throw new Error(message);
}
