import type { Effects } from '../effects.ts';
import { clojurePprint } from './clojure-pprint.ts';
import { clojureMath } from './clojure-math.ts';
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
import { NAMES } from './names.ts';
import { multimethods } from './multimethods.ts';
import { numbers } from './numbers.ts';
import { protocols } from './protocols.ts';
import { producers } from './producers.ts';
import { ednReading, reading } from './reading.ts';
import { regexCore, regexExtensions } from './regex.ts';
import type { Row } from './row.ts';
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

/** A part of the table: what its functions are called, and how its rows are made when one of them is wanted. */
export interface Area {
  /** Namespace of its names. */
  readonly prefix: string;
  readonly area: string;
  /**
   * The names of its rows, each between spaces, which scripts/builtin-names.ts writes down. A table that had to make
   * its rows to know their names would put all of them into every isolate.
   */
  readonly names: string;
  readonly rows: (effects: Effects) => readonly Row[];
}

const CORE = 'clojure.core';
/** Namespace of our own additions, which programs reach unqualified. */
export const EXTENSIONS = 'svc.core';

/** In the order of functions.md. */
export const AREAS: readonly Area[] = [
  { prefix: CORE, area: 'numbers', rows: numbers, names: NAMES.numbers },
  { prefix: CORE, area: 'comparison', rows: comparison, names: NAMES.comparison },
  { prefix: CORE, area: 'functions', rows: functions, names: NAMES.functions },
  { prefix: CORE, area: 'sequences', rows: seqAccess, names: NAMES.seqAccess },
  { prefix: CORE, area: 'sequences', rows: seqTransform, names: NAMES.seqTransform },
  { prefix: CORE, area: 'sequences', rows: seqJoin, names: NAMES.seqJoin },
  { prefix: CORE, area: 'sequences', rows: seqTake, names: NAMES.seqTake },
  { prefix: CORE, area: 'sequences', rows: seqPartition, names: NAMES.seqPartition },
  { prefix: CORE, area: 'sequences', rows: seqReduce, names: NAMES.seqReduce },
  { prefix: CORE, area: 'sequences', rows: producers, names: NAMES.producers },
  { prefix: CORE, area: 'transducers', rows: transducers, names: NAMES.transducers },
  { prefix: CORE, area: 'transients', rows: transients, names: NAMES.transients },
  { prefix: CORE, area: 'maps', rows: maps, names: NAMES.maps },
  { prefix: CORE, area: 'strings', rows: strings, names: NAMES.strings },
  { prefix: CORE, area: 'strings', rows: formatting, names: NAMES.formatting },
  { prefix: CORE, area: 'strings', rows: reading, names: NAMES.reading },
  { prefix: CORE, area: 'printing', rows: printing, names: NAMES.printing },
  { prefix: CORE, area: 'state', rows: state, names: NAMES.state },
  { prefix: CORE, area: 'metadata', rows: metadata, names: NAMES.metadata },
  { prefix: CORE, area: 'exceptions', rows: exceptions, names: NAMES.exceptions },
  { prefix: CORE, area: 'hierarchies', rows: hierarchies, names: NAMES.hierarchies },
  { prefix: CORE, area: 'multimethods', rows: multimethods, names: NAMES.multimethods },
  { prefix: CORE, area: 'protocols', rows: protocols, names: NAMES.protocols },
  { prefix: CORE, area: 'regex', rows: regexCore, names: NAMES.regexCore },
  { prefix: 'clojure.string', area: 'clojure.string', rows: clojureString, names: NAMES.clojureString },
  { prefix: 'clojure.set', area: 'clojure.set', rows: clojureSet, names: NAMES.clojureSet },
  { prefix: 'clojure.walk', area: 'clojure.walk', rows: clojureWalk, names: NAMES.clojureWalk },
  { prefix: 'clojure.edn', area: 'clojure.edn', rows: ednReading, names: NAMES.ednReading },
  { prefix: 'clojure.math', area: 'clojure.math', rows: clojureMath, names: NAMES.clojureMath },
  { prefix: 'clojure.pprint', area: 'clojure.pprint', rows: clojurePprint, names: NAMES.clojurePprint },
  { prefix: 'json', area: 'json', rows: json, names: NAMES.json },
  { prefix: EXTENSIONS, area: 'regex', rows: regexExtensions, names: NAMES.regexExtensions },
  { prefix: EXTENSIONS, area: 'extensions', rows: extensions, names: NAMES.extensions },
];
