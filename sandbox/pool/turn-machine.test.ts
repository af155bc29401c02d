import { expect } from 'chai';
import fc from 'fast-check';
import { type Phase, simulate, type Simulated, type SimulatedTenant } from './testing/turn-simulation.ts';
import type { TurnBounds } from './turn-machine.ts';

const BOUNDS: TurnBounds = { slots: 4, computing: 4, processors: 2 };
const [LENGTH_MS, SETTLED_MS] = [3000, 1000];
const MOST_BESIDE = 3;

/** A run of some milliseconds, with calls. */
const QUIET: SimulatedTenant = {
  name: 'quiet',
  startsAt: SETTLED_MS,
  pauseMs: 15,
  programs: [[{ compute: 2 }, { call: true }, { compute: 1 }, { call: true }, { compute: 1 }]],
};
const ENDLESS = Number.MAX_SAFE_INTEGER;
const phase: fc.Arbitrary<Phase> = fc.oneof(
  fc.record({ compute: fc.constantFrom(0.25, 1, 5, 20, 45, 49, 55, 200, ENDLESS) }),
  fc.constant({ call: true } as const),
  fc.record({ wait: fc.constantFrom(0.25, 2, 20, 200) }),
);
const programs = fc.array(fc.array(phase, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });
const hostile = fc
  .array(programs, { minLength: 4, maxLength: 4 })
  .map((all) =>
    all.map((own, index): SimulatedTenant => ({ name: `hostile${index}`, startsAt: 0, pauseMs: null, programs: own })),
  );

/** The time that 19 of 20 runs keep to. */
function p95({ runs }: Simulated, name: string): number {
  const sorted = [...(runs.get(name) ?? [])].toSorted((a, b) => a - b);
  const time = sorted[Math.floor(sorted.length * 0.95)];
  if (time === undefined) return Infinity;
  return time;
}

const four = (program: readonly Phase[], count = 4): readonly SimulatedTenant[] =>
  Array.from({ length: 4 }, (_, index) => ({
    name: `hostile${index}`,
    startsAt: 0,
    pauseMs: null,
    programs: Array.from({ length: count }, () => program),
  }));

describe('turns, simulated', () => {
  const alone = p95(simulate(BOUNDS, [QUIET], LENGTH_MS), 'quiet');

  const MIXES: readonly (readonly [name: string, tenants: readonly SimulatedTenant[]])[] = [
    ['compute without an end', four([{ compute: ENDLESS }])],
    ['call without an end', four([{ compute: 0.25 }, { call: true }])],
    ['call without an end, one tenant alone', four([{ compute: 0.25 }, { call: true }]).slice(0, 1)],
    ['compute for just less than is long, and call', four([{ compute: 49 }, { call: true }])],
    ['compute for just less than is long, and wait a little', four([{ compute: 49 }, { wait: 0.25 }])],
    ['wait', four([{ compute: 0.25 }, { wait: 20 }], 32)],
    ['call, many at a time', four([{ compute: 0.25 }, { call: true }], 32)],
  ];
  for (const [name, tenants] of MIXES) {
    it(`keep the runs of a tenant within ${MOST_BESIDE} times their time alone beside tenants whose programs ${name}`, () => {
      expect(p95(simulate(BOUNDS, [QUIET, ...tenants], LENGTH_MS), 'quiet')).to.be.below(MOST_BESIDE * alone);
    });
  }

  it('keep them so beside any mix of programs of four tenants', () => {
    fc.assert(
      fc.property(
        hostile,
        (tenants) => p95(simulate(BOUNDS, [QUIET, ...tenants], LENGTH_MS), 'quiet') < MOST_BESIDE * alone,
      ),
      { numRuns: 20 },
    );
  });

  it('let no tenant starve, whatever the others do', () => {
    const calling: SimulatedTenant = {
      name: 'calling',
      startsAt: 0,
      pauseMs: null,
      programs: [[{ compute: 5 }, { call: true }]],
    };
    fc.assert(
      fc.property(hostile, (tenants) => {
        const { gaps } = simulate(BOUNDS, [calling, ...tenants], LENGTH_MS);
        // One that may compute beside as many as may of its own waits for a second; one of another tenant for none of
        // them.
        return (gaps.get('calling') ?? 0) < 200 && [...gaps.values()].every((gap) => gap < 1500);
      }),
      { numRuns: 20 },
    );
  });

  it('hold where a tenant has one processor, and many tenants ask at once', () => {
    const bounds = { slots: 2, computing: 2, processors: 1 };
    const many = Array.from({ length: 20 }, (_, index): SimulatedTenant => ({
      ...QUIET,
      name: `t${index}`,
      startsAt: 0,
      pauseMs: 200,
    }));
    const { runs, gaps } = simulate(bounds, many, LENGTH_MS);
    const ends = [...runs.values()].map((own) => own.length);
    expect(Math.min(...ends))
      .to.be.at.least(Math.max(...ends) - 2)
      .and.to.be.above(0);
    expect(Math.max(...gaps.values())).to.be.below(200);
  });
});
