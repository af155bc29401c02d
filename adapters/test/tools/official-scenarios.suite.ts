import { expect } from 'chai';
import { follow } from './client.ts';
import exceptions from './exceptions.json' with { type: 'json' };
import { PLANS } from './plans.ts';
import { judgeClient, listScenarios, type Judged } from './runner.ts';

/** Scenarios, and the checks of them that the client does not pass, each with the reason. */
type Exceptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Those that the runner has scenarios for; what it calls an extension belongs to none, and is optional by its word. */
const REVISIONS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;
const SCENARIOS = new Map(REVISIONS.map((revision) => [revision, listScenarios(revision)]));
const EXCEPTIONS: Exceptions = exceptions;
/** Scenarios that may have exceptions. */
const EXCEPTIONS_MAX = 4;

describe('the official scenarios of clients', () => {
  it('are those that there are plans for', () => {
    expect(Object.keys(PLANS)).to.have.members([...new Set([...SCENARIOS.values()].flat())]);
  });

  it('have few exceptions, and no stale one', () => {
    expect(Object.keys(PLANS)).to.include.members(Object.keys(EXCEPTIONS));
    expect(Object.keys(EXCEPTIONS)).to.have.lengthOf.at.most(EXCEPTIONS_MAX);
  });

  for (const [revision, scenarios] of SCENARIOS)
    describe(`at ${revision}`, () => {
      let judged: ReadonlyMap<string, Judged> = new Map();
      before(async function () {
        this.timeout(0);
        judged = await judgeClient(revision, async (name, scenario) => {
          let said = '';
          for (const plan of PLANS[name] ?? []) said += `${await follow(plan, scenario)}\n`;
          return said;
        });
      });

      for (const scenario of scenarios) {
        const excepted = Object.keys(EXCEPTIONS[scenario] ?? {});
        it(`${scenario}${excepted.length === 0 ? '' : `, but for ${excepted.join(', ')}`}`, () => {
          const { checks, said } = judged.get(scenario) ?? { checks: [], said: 'not judged' };
          expect(said).to.equal((PLANS[scenario] ?? []).map(({ ends }) => `${ends}\n`).join(''));
          const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
          // An exception that no longer is one is struck off.
          expect([...new Set(failed.map(({ id }) => id))], JSON.stringify(failed)).to.have.members(excepted);
          if (excepted.length === 0) expect(checks.filter(({ status }) => status === 'SUCCESS')).not.to.deep.equal([]);
        });
      }
    });
});
