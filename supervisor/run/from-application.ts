import { diagnostic, logicalSource } from '../../contract/diagnostics/diagnostic.ts';
import { contractValueMessage } from '../../contract/diagnostics/messages/documents.ts';
import { checkContractValue, chosenViolation } from '../documents/contracts/check-value.ts';
import type { Contract } from '../documents/contracts/load.ts';
import { entryForm } from '../documents/limits/resolve.ts';
import type { Application } from '../preflight/application.ts';
import type { Bundle } from '../preflight/bundles.ts';
import type { ResultContract, RunEnvironment, RunnableApplication } from './application.ts';

const MODEL_SOURCES: ReadonlySet<string> = new Set(['llm', 'llm_replay', 'decision', 'decision_replay']);

/** The part of a checked application that running it needs. */
export function runnableApplication(application: Application): RunnableApplication {
  const { bundles, environments, manifest, providers, override } = application;
  if (bundles.workflow === null) throw new Error('an entry was found in the bundle of the workflow');
  const { hash, code, exports } = bundles.workflow;
  const missions = [...environments.missions.keys()].map((name): [string, RunEnvironment] => {
    const bundle = bundles.missions.get(name) ?? null;
    return [name, { components: sourcesOf(bundle), bundleHash: bundle?.hash ?? null, exports: bundle?.exports ?? [] }];
  });
  return {
    workflow: { components: sourcesOf(bundles.workflow), bundleHash: hash, code, exports },
    entryForm: entryForm(manifest.workflow.entry),
    missions: new Map(missions),
    modelAliases: providers.workflow.filter(({ installation }) => MODEL_SOURCES.has(installation.source)).map(({ alias }) => alias),
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

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The sources of a bundle in the order of its compilation; none for an environment without components. */
function sourcesOf(bundle: Bundle | null): RunEnvironment['components'] {
  return (bundle?.components ?? []).map(({ id, dependencies, bytes }) => ({ id, dependencies, source: decoder.decode(bytes) }));
}
