import { functionFacts } from '../functions.ts';
import { isFunction, type LispFunction } from '../invoke.ts';
import type { EncodingWorld } from './world.ts';

/** The built-in of this name, if it makes functions (`maker`); a text may name any. */
export function makerNamed(world: Pick<EncodingWorld, 'builtin'>, name: string): LispFunction | null {
  const found = world.builtin(name);
  return isFunction(found) && functionFacts(found)?.makes === true ? found : null;
}
