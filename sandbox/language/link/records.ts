import { typeName } from '../../runtime/classes.ts';
import { castError, mismatch } from '../../runtime/errors.ts';
import { protocolOf, refuseForeignMethods, makeProtocol } from '../../runtime/protocols.ts';
import { EMPTY_MAP } from '../../runtime/values/array-map.ts';
import { ClassValue } from '../../runtime/values/java.ts';
import { Keyword } from '../../runtime/values/keyword.ts';
import { LispMap } from '../../runtime/values/map.ts';
import { conjMap } from '../../runtime/collections.ts';
import { LispRecord, recordOf, RecordType } from '../../runtime/values/record.ts';
import { Reified } from '../../runtime/values/reified.ts';
import type { Var } from '../../runtime/values/var.ts';
import type { Vector } from '../../runtime/values/vector.ts';
import { toArray } from '../../runtime/sequence.ts';
import { classNamePart } from '../class-names.ts';
import { keepForUndo } from './definitions.ts';

/** Own implementations as the compiler writes them (`ownImplementations`), as a map of protocols and interfaces. */
function methodsOf(implementations: unknown): LispMap {
  let methods: LispMap = EMPTY_MAP;
  const parts = toArray(implementations);
  for (let i = 0; i < parts.length; i += 2) {
    const owner = parts[i];
    const { functions, counts } = listed(parts[i + 1]);
    if (!(owner instanceof ClassValue)) refuseForeignMethods(protocolOf('an implementation', owner), counts);
    const before = methods.lookup(owner);
    methods = methods.assoc(owner, before instanceof LispMap ? conjMap(before, functions) : functions);
  }
  return methods;
}

function listed(entries: unknown): {
  readonly functions: LispMap;
  readonly counts: (readonly [Keyword, readonly number[]])[];
} {
  const counts: (readonly [Keyword, readonly number[]])[] = [];
  let functions: LispMap = EMPTY_MAP;
  const parts = toArray(entries);
  for (let i = 0; i < parts.length; i += 3) {
    const name = parts[i];
    if (!(name instanceof Keyword)) continue;
    functions = functions.assoc(name, parts[i + 1]);
    counts.push([name, toArray(parts[i + 2]).map(Number)]);
  }
  return { functions, counts };
}

/** `(defrecord …)`: a new type each time, of which records that were made before are none. */
export function defineRecord(variable: Var, fields: Vector, implementations: unknown, meta: unknown): Var {
  const keys = fields.toArray().filter((field) => field instanceof Keyword);
  const type = new RecordType(
    `${classNamePart(variable.namespace)}.${variable.name}`,
    keys,
    methodsOf(implementations),
  );
  keepForUndo(variable);
  variable.value = type;
  variable.meta = meta;
  return variable;
}

/** `(defprotocol …)`. */
export function defineProtocol(variable: Var, methods: LispMap, viaMetadata: boolean, meta: unknown): Var {
  const { namespace, name } = variable;
  const made = makeProtocol({ namespace, name, methods, viaMetadata }, variable.value);
  keepForUndo(variable);
  variable.value = made;
  variable.meta = meta;
  return variable;
}

function typeOf(type: unknown): RecordType {
  if (type instanceof RecordType) return type;
  throw castError(`a record type is needed, not ${typeName(type)}`);
}

export function newRecord(type: unknown, values: readonly unknown[]): LispRecord {
  return new LispRecord(typeOf(type), values, EMPTY_MAP, null);
}

/** `map->Name`: of a map, nil, or anything that can be put into one. */
export function recordFromMap(type: unknown, map: unknown): LispRecord {
  return recordOf(typeOf(type), map instanceof LispMap && !(map instanceof LispRecord) ? map : conjMap(EMPTY_MAP, map));
}

/** The value of a field, for the methods of a record. */
export function recordField(record: unknown, index: number): unknown {
  if (record instanceof LispRecord) return record.values[index];
  throw mismatch(record, `a record is needed, not ${typeName(record)}`);
}

export function reify(className: string, implementations: unknown): Reified {
  return new Reified(className, methodsOf(implementations), null);
}
