import { isFunction } from '../../runtime/invoke.ts';
import type { Session } from './session.ts';
import { supportOf } from './support.ts';

/**
 * The constructor of functions, kept from before lock-down: the globals of an isolate lose theirs
 * (architecture.md §1.4), and only compiled code, never a text of a program, is handed to this one.
 */
const FunctionConstructor = Function;

/** Functions of the top-level forms of a block, in order. */
export type FormFunctions = readonly (() => unknown)[];

/** Turns the text of a code block into functions that act upon a session. */
export function instantiate(session: Session, code: string): FormFunctions {
  const made: unknown = Reflect.construct(FunctionConstructor, ['support', code]);
  const forms: unknown = isFunction(made) ? made(supportOf(session)) : null;
  if (Array.isArray(forms) && forms.every(isFunction)) return forms;
  throw new TypeError('a code block gives the functions of its forms');
}
