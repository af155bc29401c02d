import type { Area } from '../../runtime/builtins/areas.ts';
import { NAMES } from '../../runtime/builtins/names.ts';
import { describing } from './describe.ts';
import { parallel } from './parallel.ts';

/** Built-ins that belong to the compiler's side of the language, in the form of the runtime's table. */
export const LANGUAGE_AREAS: readonly Area[] = [
  { prefix: 'clojure.core', area: 'parallel', rows: parallel, names: NAMES.parallel },
  { prefix: 'svc.core', area: 'introspection', rows: describing, names: NAMES.describing },
];
