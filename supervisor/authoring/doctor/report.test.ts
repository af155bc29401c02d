import { expect } from 'chai';
import {
  CHECK_STATUSES,
  FAILED_CHECKS,
  PROVIDER_CHECKS,
  READY_CHECKS,
  type CheckTable,
  type ProviderCheck,
} from '../../../contract/envelope/doctor.ts';
import {
  failedCheck,
  failedReport,
  isApplicationFailure,
  readyReport,
  type Examination,
  type AliasCheckState,
} from './report.ts';

const EMPTY: Examination = {
  runtime: 'supported',
  application: 'valid',
  hasViewer: true,
  aliases: [],
  modelAliases: [],
  providerActivity: false,
  usage: { llm_usage_state: 'available', llm_usage: [] },
};

function withCheck(check: ProviderCheck, aliasCheckState: AliasCheckState): Examination {
  return { ...EMPTY, aliases: [{ alias: 'a', checks: new Map([[check, aliasCheckState]]) }] };
}

/** `status/code` of the one provider row; the refusal to build it where the table has no place for it. */
function cell(
  report: (examination: Examination) => {
    readonly checks: readonly { readonly status: string; readonly code: string }[];
  },
  check: ProviderCheck,
  aliasCheckState: AliasCheckState,
): string {
  try {
    const row = report(withCheck(check, aliasCheckState)).checks[3];
    return row === undefined ? 'no row' : `${row.status}/${row.code}`;
  } catch (error) {
    return error instanceof TypeError ? 'refused' : 'bug';
  }
}

function pairsOf(table: CheckTable, check: ProviderCheck): readonly string[] {
  return CHECK_STATUSES.flatMap((status) => table[check][status].map((code) => `${status}/${code}`));
}

const STANDINGS: readonly AliasCheckState[] = ['passed', 'requires_connect', 'application_required', 'unverified'];

describe('the report of doctor (interface.md §1.2.10)', () => {
  for (const check of PROVIDER_CHECKS) {
    const failures = FAILED_CHECKS[check].fail.map((code): AliasCheckState => ({ failed: code }));

    it(`has every state of ${check} that a failed report knows, and no other`, () => {
      const cells = [...STANDINGS, ...failures].map((aliasCheckState) => cell(failedReport, check, aliasCheckState));
      const reported = new Set(cells.filter((text) => text !== 'refused'));
      // No source has a check that only its own code could do.
      const reachable = pairsOf(FAILED_CHECKS, check).filter((pair) => pair !== 'skipped/active_check_required');
      expect([...reported].toSorted()).to.deep.equal([...reachable].toSorted());
      expect(cell(failedReport, check, { failed: 'nonsense' })).to.equal('refused');
    });

    it(`has every state of ${check} that a report without failure knows, and no failure`, () => {
      const cells = STANDINGS.map((aliasCheckState) => cell(readyReport, check, aliasCheckState)).filter(
        (text) => text !== 'refused',
      );
      const reachable = pairsOf(READY_CHECKS, check).filter(
        (pair) => pair !== 'skipped/active_check_required' && pair !== (check === 'selection' ? 'pass/available' : ''),
      );
      expect(new Set(cells)).to.deep.equal(new Set(reachable));
      for (const failure of failures) expect(cell(readyReport, check, failure)).to.equal('refused');
    });
  }

  it('has a row for each of its own checks, in their order', () => {
    const rows = (examination: Examination) =>
      failedReport(examination).checks.map(({ name, status, code }) => `${name} ${status}/${code}`);
    expect(rows(EMPTY)).to.deep.equal(['runtime pass/supported', 'application pass/valid', 'viewer pass/available']);
    expect(rows({ ...EMPTY, runtime: 'unsupported', hasViewer: false })).to.include.members([
      'runtime warn/unsupported',
      'viewer warn/optional_unavailable',
    ]);
    for (const code of FAILED_CHECKS.application.fail) {
      expect(rows({ ...EMPTY, application: { failed: code } })[1]).to.equal(`application fail/${code}`);
      expect(isApplicationFailure(code)).to.equal(true);
    }
    expect(() => readyReport({ ...EMPTY, application: { failed: 'invalid_json' } })).to.throw(TypeError);
    expect(readyReport({ ...EMPTY, application: 'not_requested' }).checks[1]).to.include({
      status: 'skipped',
      code: 'not_requested',
    });
  });

  it('is ready when nothing was left out, and for nobody without a provider', () => {
    expect(readyReport(EMPTY).readiness).to.equal('not_applicable');
    expect(readyReport(withCheck('local', 'passed')).readiness).to.equal('ready');
    expect(readyReport(withCheck('credentials', 'requires_connect')).readiness).to.equal('unverified');
    expect(readyReport({ ...withCheck('local', 'passed'), hasViewer: false }).readiness).to.equal('ready');
    expect(failedReport(withCheck('local', 'passed')).readiness).to.equal('failed');
  });

  it('tells in which row a failure stands, by what it is about', () => {
    for (const check of PROVIDER_CHECKS) {
      for (const code of FAILED_CHECKS[check].fail) expect(failedCheck(check, code)).to.equal(check);
    }
    expect(failedCheck('acquisition', 'provider_tool_missing')).to.equal('connectivity');
    expect(failedCheck('cleanup', 'provider_cleanup_failed')).to.equal(null);
    expect(failedCheck('connectivity', 'connectivity_timeout')).to.equal(null);
    expect(failedCheck('application', 'provider_application_unavailable')).to.equal(null);
  });

  it('holds no more rows than the interface does', () => {
    const checks = new Map(PROVIDER_CHECKS.map((check): [ProviderCheck, AliasCheckState] => [check, 'unverified']));
    const aliases = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ alias: `a${String(index)}`, checks }));
    expect(failedReport({ ...EMPTY, aliases: aliases(204) }).checks).to.have.length(1023);
    expect(() => failedReport({ ...EMPTY, aliases: aliases(205) })).to.throw(TypeError);
  });
});
