import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Library, LibraryRegistry } from '../components/libraries.ts';

/** The libraries of this program with their direct dependencies, sorted by bytes (agent-library.md §1). */
const SHIPPED: Readonly<Record<string, readonly string[]>> = {
  'agent.core': [
    'agent.feedback',
    'agent.machine',
    'agent.native',
    'agent.prompt',
    'kernel',
    'llm',
    'result',
    'workflow.event',
  ],
  'agent.failover': ['agent.core', 'agent.failure', 'kernel', 'runtime'],
  'agent.failure': [],
  'agent.feedback': [],
  'agent.machine': ['agent.failure', 'agent.feedback', 'agent.prompt', 'agent.retry', 'result'],
  'agent.main': ['agent.core'],
  'agent.native': [],
  'agent.prompt': ['kernel'],
  'agent.retry': [],
  analysis: ['cap'],
  cap: [],
  csv: [],
  'debug.nav': ['cap'],
  decision: [],
  kernel: [],
  llm: [],
  'prompt.audit': [],
  result: [],
  runtime: [],
  text: [],
  'workflow.event': [],
};

/**
 * The shipped libraries. A source is read from `<directory>/<id>.clj` when it is first asked for: most applications
 * select few. Throws then where the installation lacks the file. `compiled`: where the build has left what it compiled
 * of them; null: nowhere.
 */
export function shippedLibraries(directory: string, compiled: string | null = null): LibraryRegistry {
  const folders = { directory, compiled };
  return new Map(Object.entries(SHIPPED).map(([id, dependencies]) => [id, library(folders, id, dependencies)]));
}

interface Folders {
  readonly directory: string;
  readonly compiled: string | null;
}

function library({ directory, compiled }: Folders, id: string, dependencies: readonly string[]): Library {
  let source: Uint8Array | null = null;
  let ready: string | null | undefined;
  return {
    id,
    dependencies,
    get source() {
      source ??= readFileSync(join(directory, `${id}.clj`));
      return source;
    },
    get ready() {
      if (ready === undefined) ready = compiled === null ? null : textOf(join(compiled, `${id}.ready`));
      return ready;
    },
  };
}

/** Null where none is. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
