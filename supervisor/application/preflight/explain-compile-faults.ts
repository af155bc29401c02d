import {
  FAULTS_MAX,
  explainedFault,
  type ExplainedFault,
  type FailureExplanation,
} from '../../../contract/diagnostics/explanation.ts';
import { compileRemedyOf } from '../../../contract/diagnostics/messages/compile-remedies.ts';
import type { CompileFault } from '../../../contract/sandbox-protocol.ts';
import type { LibraryRegistry } from '../../documents/components/libraries.ts';
import type { Component } from '../../documents/components/read.ts';
import type { NameSource } from '../../documents/components/source-name.ts';
import { placeInSource } from '../../documents/source-place.ts';
import { missingNamespaceRemedy } from './missing-namespace.ts';
import { privateNameRemedy } from './private-definition.ts';

export interface CompiledSources {
  readonly components: readonly Component[];
  readonly nameSource: NameSource;
  /** Those that an application may select. */
  readonly libraries: LibraryRegistry;
}

/** What a compiler says of sources that it refused, in its own words and with their places. */
export function explainCompileFaults(
  faults: readonly CompileFault[],
  { components, nameSource, libraries }: CompiledSources,
): FailureExplanation {
  return bounded(
    faults.map((fault) => {
      const { component: id, span, message } = fault;
      const component = components.find((known) => known.id === id);
      const place =
        component === undefined || span === null
          ? null
          : placeInSource({ ...nameSource(component), bytes: component.bytes }, span, null);
      return explainedFault({ place, problem: message, remedy: remedyOf(fault, components, libraries) });
    }),
    0,
  );
}

function remedyOf(fault: CompileFault, components: readonly Component[], libraries: LibraryRegistry): string | null {
  return (
    missingNamespaceRemedy(fault, components, libraries) ??
    privateNameRemedy(fault, components) ??
    compileRemedyOf(fault.message)
  );
}

/** Faults of several environments, which may share components. */
export function explanationOfAll(explanations: readonly (FailureExplanation | null)[]): FailureExplanation {
  const known = explanations.filter((explanation) => explanation !== null);
  return bounded(
    known.flatMap(({ faults }) => faults),
    known.reduce((sum, { omitted }) => sum + omitted, 0),
  );
}

/** Each once, as many as are reported. */
function bounded(faults: readonly ExplainedFault[], omitted: number): FailureExplanation {
  const seen = new Set<string>();
  const distinct = faults.filter(({ place, problem }) => {
    const key = JSON.stringify([place?.file, place?.line, place?.column, problem]);
    return !seen.has(key) && seen.add(key);
  });
  return { faults: distinct.slice(0, FAULTS_MAX), omitted: omitted + Math.max(0, distinct.length - FAULTS_MAX) };
}
