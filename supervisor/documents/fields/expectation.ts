import { oneOfNames } from '../../../contract/names/suggestion.ts';
import type { ObjectShape, Shape } from './shape.ts';

/** What a table of fields wants at a place, in words that complete "write …"; declared words alone. */
export function expectationOf(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      if (shape.pattern !== null) return shape.pattern.words;
      return shape.words ?? `a text of ${String(shape.minimum)} to ${String(shape.maximum)} bytes`;
    case 'integer':
      return `an integer from ${String(shape.minimum)} to ${String(shape.maximum)}`;
    case 'number':
      return `a number ${shape.above ? 'above' : 'from'} ${String(shape.minimum)} ${shape.above ? 'and up ' : ''}to ${String(shape.maximum)}`;
    case 'boolean':
      return 'true or false';
    case 'enum':
      return oneOfNames(shape.values.map((value) => JSON.stringify(value)));
    case 'list':
      return `a list of ${sizes(shape.minimum, shape.maximum)} items${each(shape.items)}`;
    case 'map':
      return `an object of ${sizes(shape.minimum, shape.maximum)} members${each(shape.values)}`;
    case 'object':
      return objectWords(shape);
    case 'choice':
      return choiceWords(shape.branches);
    case 'either':
      return `${expectationOf(shape.text)}, or ${objectWords(shape.object)}`;
    case 'listed':
      return `${expectationOf(shape.item)}, or a list of such`;
    case 'free':
      return 'an object';
    case 'any':
      return 'a value';
  }
}

const KINDS: Readonly<Record<Exclude<Shape['kind'], 'enum' | 'any' | 'listed'>, string>> = {
  text: 'a text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  map: 'an object',
  object: 'an object',
  choice: 'an object',
  either: 'a text or an object',
  free: 'an object',
};

/** The type of value that a table of fields wants, with its article; null where it takes several. */
export function kindOf({ kind }: Shape): string | null {
  return kind === 'enum' || kind === 'any' || kind === 'listed' ? null : KINDS[kind];
}

function sizes(minimum: number, maximum: number): string {
  return minimum === 0 ? `at most ${String(maximum)}` : `${String(minimum)} to ${String(maximum)}`;
}

/** Of members that cannot do without some of their own. */
function each(shape: Shape): string {
  const words = shape.kind === 'object' || shape.kind === 'choice' ? expectationOf(shape) : '';
  return words.startsWith('an object with ') ? `, each ${words}` : '';
}

function objectWords({ fields }: ObjectShape): string {
  const needed = Object.entries(fields)
    .filter(([, { presence }]) => presence.kind === 'required')
    .map(([name]) => name);
  return needed.length === 0 ? 'an object' : `an object with ${needed.join(', ')}`;
}

/** Alternatives are reported by what each of them alone must have. */
function choiceWords(branches: readonly ObjectShape[]): string {
  const forms = [...new Set(branches.map(objectWords))];
  return forms.length > 4 ? 'an object of one of its forms' : forms.join(', or ');
}
