import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { isPlain, member, type Plain } from './plain.ts';
import { RefusedDocument } from './refused-document.ts';

/** What the references of one document refer to. */
export interface References {
  /** What is there, through any number of references that follow each other. Throws RefusedDocument. */
  resolve(value: unknown): Plain;
  /** What one reference names, be it a reference again. Throws RefusedDocument. */
  target(reference: string): unknown;
}

/** References that may follow each other before something is there. */
const CHAIN_MAX = 16;

/**
 * References within a document alone: nothing is read and nobody is asked, and what leads elsewhere was refused before.
 */
export async function referencesOf(root: Plain): Promise<References> {
  const parser = new $RefParser();
  // It takes plain data as it is, and looks for nothing outside of it.
  const found = await parser.resolve({ ...root }, { resolve: { external: false } });
  const target = (reference: string): unknown => {
    if (!reference.startsWith('#/')) throw new RefusedDocument('it has a reference that is no pointer into it');
    try {
      const value: unknown = found.get(reference);
      return value;
    } catch {
      throw new RefusedDocument(`it has a reference to ${shortened(reference)}, and nothing is there`);
    }
  };
  return {
    target,
    resolve: (input) => {
      let value = input;
      for (let count = 0; count <= CHAIN_MAX; count += 1) {
        const reference = isPlain(value) ? member(value, '$ref') : undefined;
        if (typeof reference !== 'string') return isPlain(value) ? value : {};
        value = target(reference);
      }
      throw new RefusedDocument(`it has references that follow each other for more than ${CHAIN_MAX} steps`);
    },
  };
}

function shortened(reference: string): string {
  return Array.from(reference).slice(0, 120).join('').toWellFormed();
}
