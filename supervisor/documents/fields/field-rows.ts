import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { Field, Shape } from './shape.ts';

/** One row of a document's field table, as its reference page prints it. */
export interface FieldRow {
  /** `a.b`, `a[]` for items, `a.*` for values of a map; the root's own fields have no prefix. */
  readonly field: string;
  /** Type and bounds in words. */
  readonly type: string;
  readonly required: boolean;
  /** Canonical JSON, null without a default. */
  readonly standard: string | null;
}

/**
 * Every field of a table with all fields below it, in the order of the table; branches of a choice follow each other.
 */
export function fieldRows(shape: Shape): readonly FieldRow[] {
  return rowsBelow(shape, '');
}

function rowsBelow(shape: Shape, at: string): readonly FieldRow[] {
  switch (shape.kind) {
    case 'object':
      return Object.entries(shape.fields).flatMap(([name, field]) => rowsOf(field, at === '' ? name : `${at}.${name}`));
    case 'choice':
      return shape.branches.flatMap((branch) => rowsBelow(branch, at));
    case 'either':
      return rowsBelow(shape.object, at);
    case 'listed':
      return rowsBelow(shape.item, at);
    case 'list':
      return rowsBelow(shape.items, `${at}[]`);
    case 'map':
      return rowsBelow(shape.values, at === '' ? '*' : `${at}.*`);
    default:
      return [];
  }
}

function rowsOf({ shape, presence }: Field, field: string): readonly FieldRow[] {
  const row = {
    field,
    type: typeOf(shape),
    required: presence.kind === 'required',
    standard: presence.kind === 'default' ? canonicalJson(presence.value) : null,
  };
  return [row, ...rowsBelow(shape, field)];
}

function typeOf(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      return `string, ${shape.minimum} to ${shape.maximum} bytes`;
    case 'integer':
      return `integer, ${shape.minimum} to ${shape.maximum}`;
    case 'number':
      return `number, ${shape.above ? 'above ' : ''}${shape.minimum} to ${shape.maximum}`;
    case 'boolean':
      return 'boolean';
    case 'enum':
      return shape.values.map((value) => canonicalJson(value)).join(' or ');
    case 'list':
      return `list of ${shape.minimum} to ${shape.maximum}: ${typeOf(shape.items)}`;
    case 'map':
      return `map of ${shape.minimum} to ${shape.maximum}: ${typeOf(shape.values)}`;
    case 'object':
      return 'object';
    case 'choice':
      return 'object, one of several forms';
    case 'either':
      return `${typeOf(shape.text)}, or object`;
    case 'listed':
      return `${typeOf(shape.item)}, or list`;
    case 'free':
      return 'any JSON object';
    case 'any':
      return 'any JSON';
  }
}
