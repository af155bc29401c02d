import { matches } from './patterns.ts';
import type { Shape } from './shape.ts';

/**
 * The publishable part of a path into a document: declared names and indexes stay, a key of an open map becomes `*`
 * unless `*` could be such a key, and the walk stops at the first place the table does not own (documents.md §13).
 */
export function safePath(shape: Shape, path: readonly string[]): readonly string[] {
  const safe: string[] = [];
  let shapes: readonly Shape[] = [shape];
  for (const token of path) {
    const step = stepInto(shapes, token);
    if (step === null) break;
    safe.push(step.token);
    shapes = step.shapes;
  }
  return safe;
}

interface Step {
  readonly token: string;
  readonly shapes: readonly Shape[];
}

function stepInto(shapes: readonly Shape[], token: string): Step | null {
  const next: Shape[] = [];
  let published: string | null = null;
  for (const shape of shapes) {
    switch (shape.kind) {
      case 'object': {
        const field = Object.hasOwn(shape.fields, token) ? shape.fields[token] : undefined;
        if (field === undefined) break;
        published = token;
        next.push(field.shape);
        break;
      }
      case 'choice': {
        const step = stepInto(shape.branches, token);
        if (step === null) break;
        published = step.token;
        next.push(...step.shapes);
        break;
      }
      case 'either':
      case 'listed': {
        const inner = shape.kind === 'either' ? [shape.object] : [shape.item, shape.list];
        const step = stepInto(inner, token);
        if (step === null) break;
        published = step.token;
        next.push(...step.shapes);
        break;
      }
      case 'map':
        if (matches(shape.keys, '*')) break;
        published = '*';
        next.push(shape.values);
        break;
      case 'list':
        if (!/^(?:0|[1-9][0-9]{0,5})$/u.test(token)) break;
        published = token;
        next.push(shape.items);
        break;
      default:
        break;
    }
  }
  return published === null ? null : { token: published, shapes: next };
}
