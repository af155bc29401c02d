import { javaClassName } from '../classes.ts';
import { ClassValue, classNamed } from '../values/java.ts';
import type { LispMap } from '../values/map.ts';
import { LispRecord, RecordType } from '../values/record.ts';
import { Reified } from '../values/reified.ts';
import { classParents, isAssignable, isInterface } from './class-relations.ts';

/** What every record is, whatever it implements. */
const RECORD_PARENTS = [
  'java.lang.Object',
  'clojure.lang.IRecord',
  'clojure.lang.IObj',
  'clojure.lang.IPersistentMap',
  'java.util.Map',
].map(classNamed);
const REIFIED_PARENTS = ['java.lang.Object', 'clojure.lang.IObj'].map(classNamed);

/** The class of a value; null for nil. */
export function classOf(value: unknown): ClassValue | null {
  if (value === null) return null;
  return value instanceof LispRecord ? value.type : classNamed(javaClassName(value));
}

function interfacesIn(methods: LispMap): ClassValue[] {
  const found: ClassValue[] = [];
  methods.visit((owner) => {
    if (owner instanceof ClassValue) found.push(owner);
  });
  return found;
}

/** Direct superclass and interfaces of a class. */
export function parentClasses(child: ClassValue): readonly ClassValue[] {
  if (child instanceof RecordType) return [...new Set([...RECORD_PARENTS, ...interfacesIn(child.methods)])];
  return classParents(child.name).map(classNamed);
}

/** Whether values of one class are instances of another. */
export function isSubclass(target: ClassValue, child: ClassValue): boolean {
  if (target === child) return true;
  if (child instanceof RecordType) return parentClasses(child).some((parent) => isSubclass(target, parent));
  return !(target instanceof RecordType) && isAssignable(target.name, child.name);
}

/** Whether a value is an instance of a class. */
export function isInstanceOf(target: ClassValue, value: unknown): boolean {
  if (value === null) return false;
  if (value instanceof LispRecord) return isSubclass(target, value.type);
  if (target instanceof RecordType) return false;
  if (!(value instanceof Reified)) return isAssignable(target.name, javaClassName(value));
  return (
    target.name === value.className ||
    [...REIFIED_PARENTS, ...interfacesIn(value.methods)].some((parent) => isSubclass(target, parent))
  );
}

/** The class, its superclass and so on, Object left out: where a protocol looks first. */
export function superclassChain(start: ClassValue): ClassValue[] {
  const chain: ClassValue[] = [];
  for (let at: ClassValue | undefined = start; at !== undefined && at.name !== 'java.lang.Object';) {
    chain.push(at);
    at = parentClasses(at).find((parent) => !isInterface(parent.name));
  }
  return chain;
}
