import type { ComponentSource } from '../../../contract/sandbox-protocol.ts';
import type { BundleComponent } from '../bundle.ts';
import { readBundle, writeBundle } from './bundle-text.ts';
import type { ExportedDefinition } from './exports.ts';

/*
 * A component that the build has compiled: the libraries are the same in every application, and to compile that of the
 * agent took more than half of the processor time of a command. Its first line names the compiler, its second has the
 * definitions as JSON, the rest is a bundle of this component alone.
 */

/** A component with what is known of its definitions. */
export interface ReadyComponent {
  readonly component: BundleComponent;
  readonly definitions: readonly ExportedDefinition[];
}

declare const SVC_COMPILER: string | undefined;

/** This compiler; the build of a guest gives it a name of its own. */
const COMPILER = typeof SVC_COMPILER === 'string' ? SVC_COMPILER : 'sources';

/** `compiler`: the name of that which reads it. */
export function writeReady({ component, definitions }: ReadyComponent, compiler = COMPILER): string {
  return `${compiler}\n${JSON.stringify(definitions)}\n${writeBundle({ components: [component], exports: [] })}`;
}

/** What a source comes with; null where that is nothing, or is of another compiler or another text. */
export function readReady({ id, source, ready }: ComponentSource): ReadyComponent | null {
  if (ready === undefined || !ready.startsWith(`${COMPILER}\n`)) return null;
  const start = COMPILER.length + 1;
  const end = ready.indexOf('\n', start);
  const [component] = readBundle(ready.slice(end + 1)).components;
  if (component === undefined || component.id !== id || component.source !== source) return null;
  return { component, definitions: JSON.parse(ready.slice(start, end)) };
}
