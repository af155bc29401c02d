import { makeFunction } from '../../runtime/intrinsics.ts';
import { limits } from '../../runtime/errors.ts';
import { isFunction } from '../../runtime/invoke.ts';
import { clearMiss } from '../../runtime/last-miss.ts';
import type { Session } from './session.ts';
import { supportOf } from './support.ts';

/** Functions of the top-level forms of a block, in order. */
export type FormFunctions = readonly (() => unknown)[];

/** Turns the text of a code block into functions that act on a session. */
export function instantiate(session: Session, code: string): FormFunctions {
  clearMiss();
  session.limitBefore = limits.last;
  const made = makeFunction('support', code);
  const forms: unknown = isFunction(made) ? made(supportOf(session)) : null;
  if (Array.isArray(forms) && forms.every(isFunction)) return forms;
  throw new TypeError('a code block gives the functions of its forms');
}
