import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A form or function of the language. */
export interface CoreName {
  readonly name: string;
  /** The ways to call it. */
  readonly shapes: readonly string[];
  readonly doc: string;
}

/** What `svc docs functions` lists, as the build left it beside the program; nothing where it did not. */
export function coreNames(): readonly CoreName[] {
  try {
    return JSON.parse(readFileSync(join(import.meta.dirname, 'core.json'), 'utf8'));
  } catch {
    return [];
  }
}
