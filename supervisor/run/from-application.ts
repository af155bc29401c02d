import { diagnostic, logicalSource } from '../../contract/diagnostics/diagnostic.ts';
import { contractValueMessage } from '../../contract/diagnostics/messages/documents.ts';
import { compareUtf8 } from '../../contract/json/utf8.ts';
import { checkContractValue, chosenViolation } from '../documents/contracts/check-value.ts';
import type { Contract } from '../documents/contracts/load.ts';
import { entryForm } from '../documents/limits/resolve.ts';
import type { Application } from '../preflight/application.ts';
import type { ResultContract, RunEnvironment, RunnableApplication } from './application.ts';

/** The part of a checked application that running it needs. */
export function runnableApplication(application: Application): RunnableApplication {
  const { bundles, environments, manifest, providers, override } = application;
  if (bundles.workflow === null) throw new Error('an entry was found in the bundle of the workflow');
  const { hash, code, exports } = bundles.workflow;
  const missions = [...environments.missions].map(([name, components]): [string, RunEnvironment] => {
    const bundle = bundles.missions.get(name) ?? null;
    return [name, { components: inCompileOrder(components), bundleHash: bundle?.hash ?? null, exports: bundle?.exports ?? [] }];
  });
  return {
    workflow: { components: inCompileOrder(environments.workflow), bundleHash: hash, code, exports },
    entryForm: entryForm(manifest.workflow.entry),
    missions: new Map(missions),
    input: application.input.text,
    resultContract: application.contracts.result === null ? null : resultContract(application.contracts.result),
    limits: application.limits.values,
    artifactClass: providers.eventPolicy,
    eventIdentity: { runId: manifest.events.run_id ?? null, traceId: manifest.events.trace_id ?? null },
    labels: manifest.labels,
    override: override === null ? null : override.identity,
  };
}

function resultContract(contract: Contract): ResultContract {
  return {
    check: (value) => {
      const violation = chosenViolation(checkContractValue(contract.root, value));
      if (violation === null) return null;
      return diagnostic('result_contract_failed', {
        source: logicalSource('result_contract', contract.name),
        path: violation.path,
        message: contractValueMessage('result', violation.rule, violation.facts),
      });
    },
  };
}

type Component = RunEnvironment['components'][number];
type LoadedComponent = Pick<Application['environments']['workflow'][number], 'id' | 'dependencies' | 'bytes'>;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Each component after its dependencies, ties by id bytes (language.md §13). The set has compiled: it is closed and has no cycle. */
export function inCompileOrder(components: readonly LoadedComponent[]): readonly Component[] {
  const waiting = components.toSorted((left, right) => compareUtf8(left.id, right.id)).map(({ id, dependencies, bytes }) => ({ id, dependencies, source: decoder.decode(bytes) }));
  const ordered: Component[] = [];
  const placed = new Set<string>();
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ dependencies }) => dependencies.every((id) => placed.has(id)));
    const [component] = waiting.splice(next, 1);
    if (next === -1 || component === undefined) throw new Error('a compiled set of components has an order');
    placed.add(component.id);
    ordered.push(component);
  }
  return ordered;
}
