import { diagnostic, providerSubject } from '../../contract/diagnostics/diagnostic.ts';
import { failure, success } from '../../contract/outcome.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { Application } from '../preflight/application.ts';
import { emptyBroker } from './broker.ts';
import type { Environments } from './environments.ts';

/**
 * The environments of a run that reaches nothing outside: no provider is selected and no mission declared. An
 * application that selects a provider is told that no adapter for it is there.
 */
export function plainEnvironments({ providers }: Application): Outcome<Environments> {
  const [first] = [...providers.workflow, ...providers.mission];
  if (first !== undefined) {
    const { alias, destination, index } = first;
    return failure(diagnostic('adapter_unavailable', { subject: providerSubject(alias, 'local', { destination, index }) }));
  }
  return success({ broker: emptyBroker(), missions: new Map(), usageKeys: [] });
}
