import type { ChildProcess } from 'node:child_process';
import { withoutInherited, type ChildDescriptor } from './inherited-descriptors.ts';

/**
 * The process that `start` begins; null where the system has no descriptors or memory for one. Node then throws, or
 * leaves the pipes of the child out, against its own types, and reports the error later, which ends a program that does
 * not listen. A child that is given out may still be one that never ran (`error` of it, no `pid`): nobody else needs to
 * listen for that. `start` passes the descriptors that the child is meant to have through `only`, so that it has no
 * others.
 */
export function startedChild<Child extends ChildProcess>(
  start: (only: <Stdio extends ChildDescriptor[]>(stdio: Stdio) => Stdio) => Child,
): Child | null {
  try {
    const child = withoutInherited(start);
    child.on('error', () => undefined);
    const pipes: unknown = child.stdio;
    return pipes === undefined ? null : child;
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return null;
    throw error;
  }
}
