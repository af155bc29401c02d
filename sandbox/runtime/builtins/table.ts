import type { Environment } from '../environment.ts';
import { clojureMath, MATH_CONSTANTS } from './clojure-math.ts';
import { clojureSet } from './clojure-set.ts';
import { clojureString } from './clojure-string.ts';
import { clojureWalk } from './clojure-walk.ts';
import { comparison } from './comparison.ts';
import { extensions } from './extensions.ts';
import { formatting } from './format.ts';
import { functions } from './functions.ts';
import { hierarchies } from './hierarchies.ts';
import { json } from './json.ts';
import { maps } from './maps.ts';
import { multimethods } from './multimethods.ts';
import { numbers } from './numbers.ts';
import { producers } from './producers.ts';
import { ednReading, reading } from './reading.ts';
import { regexCore, regexExtensions } from './regex.ts';
import { type Builtin, builtin, constantBuiltin, type Row } from './row.ts';
import { seqAccess } from './seq-access.ts';
import { seqJoin } from './seq-join.ts';
import { seqPartition } from './seq-partition.ts';
import { seqReduce } from './seq-reduce.ts';
import { seqTake } from './seq-take.ts';
import { seqTransform } from './seq-transform.ts';
import { exceptions, metadata, state } from './state.ts';
import { printing, strings } from './strings.ts';
import { transducers } from './transducers.ts';
import { transients } from './transients.ts';

/** All built-ins by qualified name. */
export type BuiltinTable = ReadonlyMap<string, Builtin>;

const CORE = 'clojure.core';
/** Namespace of our own additions, which programs reach unqualified. */
const EXTENSIONS = 'svc.core';

/** Areas in the order of functions.md: namespace, area name, rows. */
function areas(environment: Environment): readonly (readonly [string, string, readonly Row[]])[] {
  return [
    [CORE, 'numbers', numbers],
    [CORE, 'comparison', comparison],
    [CORE, 'functions', functions],
    [CORE, 'sequences', seqAccess],
    [CORE, 'sequences', seqTransform],
    [CORE, 'sequences', seqJoin],
    [CORE, 'sequences', seqTake],
    [CORE, 'sequences', seqPartition],
    [CORE, 'sequences', seqReduce],
    [CORE, 'sequences', producers],
    [CORE, 'transducers', transducers],
    [CORE, 'transients', transients],
    [CORE, 'maps', maps],
    [CORE, 'strings', strings(environment)],
    [CORE, 'strings', formatting(environment)],
    [CORE, 'strings', reading(environment)],
    [CORE, 'printing', printing(environment)],
    [CORE, 'state', state],
    [CORE, 'metadata', metadata],
    [CORE, 'exceptions', exceptions],
    [CORE, 'hierarchies', hierarchies(environment)],
    [CORE, 'multimethods', multimethods(environment)],
    [CORE, 'regex', regexCore],
    ['clojure.string', 'clojure.string', clojureString],
    ['clojure.set', 'clojure.set', clojureSet],
    ['clojure.walk', 'clojure.walk', clojureWalk],
    ['clojure.edn', 'clojure.edn', ednReading(environment)],
    ['clojure.math', 'clojure.math', clojureMath],
    ['json', 'json', json],
    [EXTENSIONS, 'regex', regexExtensions],
    [EXTENSIONS, 'extensions', extensions],
  ];
}

/** The table for one isolate; functions that print or count do so in `environment`. */
export function builtinTable(environment: Environment): BuiltinTable {
  const table = new Map<string, Builtin>();
  for (const [prefix, area, rows] of areas(environment)) {
    for (const row of rows) {
      const made = builtin(prefix, area, row);
      table.set(made.name, made);
    }
  }
  for (const { name, doc, value } of MATH_CONSTANTS) {
    const qualified = `clojure.math/${name}`;
    table.set(qualified, constantBuiltin(qualified, 'clojure.math', doc, value));
  }
  return table;
}

export type { Builtin, Effect } from './row.ts';
