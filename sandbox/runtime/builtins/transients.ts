import { assoc, conj, disj } from '../collections.ts';
import { badValue, castError, mismatch, outOfBounds, valueError } from '../errors.ts';
import { typeName } from '../classes.ts';
import { ArrayMap } from '../values/array-map.ts';
import { HashMap } from '../values/hash-map.ts';
import { LispMap } from '../values/map.ts';
import { MapBuilder } from '../values/map-builder.ts';
import { HashSet, SetBuilder } from '../values/set.ts';
import { type TransientSource, Transient } from '../values/transient.ts';
import { EMPTY_VECTOR, MapEntry, Vector, VectorBuilder } from '../values/vector.ts';
import { isInteger } from '../values/double.ts';
import { fixed, type Row, variadic } from './row.ts';

/** A transient in use, as the first argument of an operation. */
function editable(operation: string, value: unknown): Transient {
  if (!(value instanceof Transient))
    throw mismatch(value, `${operation}: argument 1 must be a transient, not ${typeName(value)}`);
  value.refuseEnded();
  return value;
}

function transient(collection: unknown): Transient {
  if (collection instanceof MapEntry) throw castError('transient: a map entry cannot be made transient');
  if (collection instanceof Vector) return new Transient({ kind: 'vector', builder: new VectorBuilder(collection) });
  if (collection instanceof ArrayMap || collection instanceof HashMap) {
    return new Transient({ kind: 'map', builder: new MapBuilder(collection) });
  }
  if (collection instanceof HashSet) return new Transient({ kind: 'set', builder: new SetBuilder(collection) });
  throw mismatch(collection, `transient: argument 1 must be a vector, map or set, not ${typeName(collection)}`);
}

/** What a transient holds now, as a persistent collection. */
function snapshot(source: TransientSource): Vector | LispMap | HashSet {
  return source.kind === 'vector' ? source.builder.build(null) : source.builder.build();
}

function persistent(value: unknown): unknown {
  const made = editable('persistent!', value);
  made.closed = true;
  return snapshot(made.source);
}

/** Goes on from another persistent state: for the operations a builder has no word for. */
function resume(made: Transient, state: unknown): Transient {
  made.source = transient(state).source;
  return made;
}

function conjInPlace(target: unknown, value: unknown): Transient {
  const made = editable('conj!', target);
  const { source } = made;
  if (source.kind === 'vector') source.builder.push(value);
  else if (source.kind === 'set') source.builder.add(value);
  else if (value instanceof Vector) {
    if (value.count !== 2) throw badValue('Vector arg to map conj must be a pair');
    source.builder.put(value.at(0), value.at(1));
  } else if (value instanceof LispMap) value.visit((key, element) => source.builder.put(key, element));
  else if (value !== null) return resume(made, conj(snapshot(source), value));
  return made;
}

function assocInPlace(target: unknown, key: unknown, value: unknown): Transient {
  const made = editable('assoc!', target);
  const { source } = made;
  if (source.kind === 'map') source.builder.put(key, value);
  else if (source.kind === 'vector') {
    if (!isInteger(key)) throw badValue('Key must be integer');
    if (key === source.builder.count) source.builder.push(value);
    else if (typeof key === 'bigint' || key < 0 || key > source.builder.count) throw outOfBounds();
    else return resume(made, assoc(snapshot(source), key, value));
  } else throw castError('assoc!: a transient set has no keys');
  return made;
}

/** Unlike `assoc`, a last key without a value gets nil. */
function assocAllInPlace(args: readonly unknown[]): unknown {
  for (let i = 1; i < args.length; i += 2) assocInPlace(args[0], args[i], args[i + 1] ?? null);
  return args[0];
}

function dissocInPlace(target: unknown, key: unknown): Transient {
  const made = editable('dissoc!', target);
  if (made.source.kind !== 'map') throw castError('dissoc!: argument 1 must be a transient map');
  made.source.builder.drop(key);
  return made;
}

function disjInPlace(target: unknown, value: unknown): Transient {
  const made = editable('disj!', target);
  if (made.source.kind !== 'set') throw castError('disj!: argument 1 must be a transient set');
  return resume(made, disj(snapshot(made.source), value));
}

function popInPlace(target: unknown): Transient {
  const made = editable('pop!', target);
  const state = snapshot(made.source);
  if (!(state instanceof Vector)) throw castError('pop!: argument 1 must be a transient vector');
  if (state.count === 0) throw valueError('java.lang.IllegalStateException', "Can't pop empty vector");
  return resume(made, state.pop());
}

export function transients(): readonly Row[] {
  return [
    fixed('transient', 'coll', 'A collection that its owner may change in place.', transient),
    fixed('persistent!', 'coll', 'The collection that a transient became; the transient ends.', persistent),
    fixed(
      'conj!',
      '|coll|coll x',
      'The transient with an element added.',
      () => transient(EMPTY_VECTOR),
      (target: unknown) => target,
      conjInPlace,
    ),
    variadic(
      'assoc!',
      'coll key val|coll key val & kvs',
      'The transient with values put under keys.',
      3,
      assocAllInPlace,
      assocInPlace,
    ),
    variadic(
      'dissoc!',
      'map key|map key & ks',
      'The transient map without keys.',
      2,
      (args) => args.slice(1).reduce(dissocInPlace, args[0]),
      dissocInPlace,
    ),
    variadic('disj!', 'set|set key|set key & ks', 'The transient set without members.', 1, (args) =>
      args.slice(1).reduce(disjInPlace, args[0]),
    ),
    fixed('pop!', 'coll', 'The transient vector without its last element.', popInPlace),
  ];
}
