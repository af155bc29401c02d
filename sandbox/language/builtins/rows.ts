import { builtin, type Builtin } from '../../runtime/builtins/row.ts';
import { describing } from './describe.ts';
import { parallel } from './parallel.ts';

/** Built-ins that belong to the compiler's side of the language, in the form of the runtime's table. */
export function languageBuiltins(): readonly Builtin[] {
  return [
    ...parallel.map((row) => builtin('clojure.core', 'parallel', row)),
    ...describing.map((row) => builtin('svc.core', 'introspection', row)),
  ];
}
