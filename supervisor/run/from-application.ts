import { diagnostic, logicalSource } from '../../contract/diagnostics/diagnostic.ts';
import { contractValueMessage } from '../../contract/diagnostics/messages/documents.ts';
import type { Warning } from '../../contract/envelope/types.ts';
import { checkContractValue, chosenViolation, type ValueViolation } from '../documents/contracts/check-value.ts';
import type { Contract } from '../documents/contracts/load.ts';
import { explainContractValue } from '../documents/explain/contract-value.ts';
import { sourceNames, type NameSource } from '../documents/components/source-name.ts';
import type { Application } from '../application/preflight/application.ts';
import type { Bundle } from '../application/preflight/bundles.ts';
import type { ResultContract, RunEnvironment, RunnableApplication } from './application.ts';

/** What running an application needs in addition to it. */
export interface ApplicationContext {
  /** Absolute: that of who reads of the application. */
  readonly workingDirectory: string;
  readonly warnings: readonly Warning[];
}

/** The part of a checked application that running it needs. */
export function runnableApplication(
  application: Application,
  { workingDirectory, warnings }: ApplicationContext,
): RunnableApplication {
  const { bundles, environments, manifest, providers, override } = application;
  if (bundles.workflow === null) throw new Error('an entry was found in the bundle of the workflow');
  const { hash, code, exports } = bundles.workflow;
  const nameSource = sourceNames(application.directory, workingDirectory);
  const missions = [...environments.missions.keys()].map((name): [string, RunEnvironment] => {
    const bundle = bundles.missions.get(name) ?? null;
    return [
      name,
      { components: sourcesOf(bundle, nameSource), bundleHash: bundle?.hash ?? null, exports: bundle?.exports ?? [] },
    ];
  });
  return {
    workflow: { components: sourcesOf(bundles.workflow, nameSource), bundleHash: hash, code, exports },
    entry: manifest.workflow.entry,
    missions: new Map(missions),
    modelAliases: providers.workflow.filter(({ provider }) => provider.isModel).map(({ alias }) => alias),
    warnings,
    input: application.input.text,
    resultContract:
      application.contracts.result === null ? null : resultContract(application.contracts.result, nameSource),
    limits: application.limits.values,
    decidedLimits: application.limits,
    artifactClass: providers.eventPolicy,
    eventIdentity: { runId: manifest.events.run_id ?? null, traceId: manifest.events.trace_id ?? null },
    labels: manifest.labels,
    override: override === null ? null : override.identity,
  };
}

function resultContract(contract: Contract, nameSource: NameSource): ResultContract {
  const { name } = contract;
  const diagnosticOf = ({ rule, facts, path }: ValueViolation) =>
    diagnostic('result_contract_failed', {
      source: logicalSource('result_contract', name),
      path,
      message: contractValueMessage('result', rule, facts),
    });
  return {
    check: (value) => {
      const violation = chosenViolation(checkContractValue(contract.root, value));
      return violation === null ? null : diagnosticOf(violation);
    },
    explain: (value) =>
      explainContractValue(contract, nameSource({ origin: 'local', sourceName: name }).opens, value, diagnosticOf),
  };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The sources of a bundle in the order of its compilation; none for an environment without components. */
function sourcesOf(bundle: Bundle | null, nameSource: NameSource): RunEnvironment['components'] {
  return (bundle?.components ?? []).map((component) => {
    const { id, dependencies, bytes, origin } = component;
    return {
      id,
      dependencies,
      source: decoder.decode(bytes),
      ...nameSource(component),
      isLibrary: origin === 'library',
    };
  });
}
