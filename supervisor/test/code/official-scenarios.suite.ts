/** What the official conformance runner says of `svc code`, which a front speaks HTTP for (code-mode.md §9, 10). */
import { expect } from 'chai';
import { OfficialRunner, scenariosOf, type Baseline } from '../gateway/official-runner.ts';
import { Folder, toolServer } from './folder.ts';
import { openHttpFront, type HttpFront } from './http-front.ts';
import baseline from './official-baseline.json' with { type: 'json' };

const BASELINE: Baseline = baseline;

for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])
  describe(`the official scenarios of servers at ${revision}, svc code`, () => {
    const known = BASELINE[revision] ?? {};
    const scenarios = scenariosOf(revision);
    const runner = new OfficialRunner();
    after(async () => runner.close());
    let front: HttpFront | null = null;
    // Before its folder goes.
    afterEach(async () => {
      expect(await front?.close()).to.equal(0);
    });
    const folder = new Folder();
    beforeEach(async () => {
      front = await openHttpFront(folder.path, ['--import', folder.imports({ hub: toolServer() })]);
    });

    it('are those that the list of exceptions knows', () => {
      expect(scenarios).not.to.deep.equal([]);
      expect(scenarios).to.include.members(Object.keys(known));
    });

    for (const scenario of scenarios) {
      const excepted = Object.keys(known[scenario] ?? {});
      it(`${scenario}${excepted.length === 0 ? '' : `, but for ${excepted.join(', ')}`}`, async () => {
        const checks = await runner.judged(front?.url ?? '', scenario, revision);
        const failed = checks.filter(({ status }) => status === 'FAILURE');
        // An exception that no longer is one is struck off.
        expect([...new Set(failed.map(({ id }) => id))], JSON.stringify(failed)).to.have.members(excepted);
        expect(checks).not.to.deep.equal([]);
      });
    }
  });
