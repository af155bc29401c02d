import { expect } from 'chai';
import { CATALOGUE, DIAGNOSTIC_CODES } from '../catalogue.ts';
import { applicationRuleMessage, hostRuleMessage, jsonFaultMessage } from '../messages/documents.ts';
import { bundleRuleMessage, dependencyMessage } from '../messages/programs.ts';
import { remedyFor } from './failures.ts';

/** Codes whose own message, or whose explanation by place, says what to do, or that nobody can mend from outside. */
const remedyOf = (
  code: (typeof DIAGNOSTIC_CODES)[number],
  message: string = CATALOGUE[code].message.generic,
): string | null => remedyFor({ code, message, subject: null });

describe('what to do about a failure', () => {
  it('is known for every fault before a run that no table of fields tells', () => {
    const phases = new Set(['destination', 'local_preflight']);
    const bare = DIAGNOSTIC_CODES.filter(
      (code) => CATALOGUE[code].phases.some((phase) => phases.has(phase)) && remedyOf(code) === null,
    );
    expect(bare).to.deep.equal([
      'prune_unsafe_directory',
      'prune_unavailable',
      'prune_delete_failed',
      'adapter_unavailable',
      'provider_admission_unavailable',
    ]);
  });

  it('goes by the rule where one code tells several', () => {
    expect(remedyOf('schema_violation', applicationRuleMessage('library_unknown'))).to.include('shipped library');
    expect(remedyOf('host_invalid', hostRuleMessage('credential_undeclared'))).to.include('credentials');
    expect(remedyOf('invalid_json', jsonFaultMessage('application', 'encoding'))).to.include('UTF-8');
    expect(remedyOf('dependency_invalid', dependencyMessage('two_default_models'))).to.include('"default": true');
    expect(remedyOf('bundle_invalid', bundleRuleMessage('dependency_cycle'))).to.include('cycle');
  });

  it('tells another way to an authorization than to a credential', () => {
    const subject = { kind: 'provider', name: 'a', operation: 'authorization', occurrence: null } as const;
    expect(
      remedyFor({ code: 'credential_unavailable', message: CATALOGUE.credential_unavailable.message.generic, subject }),
    ).to.equal('run svc auth login a');
    for (const code of ['authorization_required', 'authorization_rejected'] as const) {
      expect(remedyFor({ code, message: CATALOGUE[code].message.generic, subject })).to.equal('run svc auth login a');
      expect(remedyOf(code)).to.equal('run svc auth login NAME');
    }
  });

  it('is one short line', () => {
    for (const code of DIAGNOSTIC_CODES)
      expect(remedyOf(code) ?? 'nothing known', code).to.match(/^[ -~]{10,190}[^. ]$/u);
  });
});
