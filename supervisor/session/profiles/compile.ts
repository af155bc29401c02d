import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import { sourceNames } from '../../documents/components/source-name.ts';
import type { LibraryRegistry } from '../../documents/components/libraries.ts';
import type { Component } from '../../documents/components/read.ts';
import { sha256Hex } from '../../documents/digest.ts';
import type { Clock } from '../../../system/clock.ts';
import { NO_BUNDLE_STORE, type BundleStore } from '../../application/preflight/bundle-store.ts';
import { compileBundles, type Bundle } from '../../application/preflight/bundles.ts';
import { CATALOGUE_COMPONENT, catalogueSource } from './catalogue-source.ts';

export interface CompileProfile {
  readonly components: readonly string[];
  readonly libraries: LibraryRegistry;
  readonly sandbox: Sandbox;
  readonly bundles?: () => Promise<BundleStore>;
  readonly trustDomain: string;
  readonly workingDirectory: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The compiled libraries of a profile; null where they could not be compiled in time. */
export async function compileProfile({
  components,
  libraries,
  bundles,
  trustDomain,
  workingDirectory,
  clock,
  sandbox,
  signal,
}: CompileProfile): Promise<Bundle | null> {
  const compiled = await compileBundles({
    workflow: [],
    missions: new Map([['analysis', components.map((id) => componentOf(id, libraries))]]),
    sandbox,
    trustDomain,
    libraries,
    signal,
    store: (await bundles?.()) ?? NO_BUNDLE_STORE,
    nameSource: sourceNames(workingDirectory, workingDirectory),
    now: () => clock.monotonic(),
  });
  return compiled.ok ? (compiled.value.missions.get('analysis') ?? null) : null;
}

function componentOf(id: string, libraries: LibraryRegistry): Component {
  const library = id === CATALOGUE_COMPONENT ? { source: catalogueSource(), dependencies: ['cap'] } : libraries.get(id);
  if (library === undefined) throw new Error(`a profile is built of shipped libraries, and there is no ${id}`);
  const { source, dependencies } = library;
  return { id, dependencies, origin: 'library', sourceName: id, bytes: source, sourceHash: sha256Hex(source) };
}
