import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_WAITING, newFleet, retryAfterMs, stepFleet, type Wanted } from './fleet-machine.ts';
import { SimulatedFleet } from './testing/fleet-simulation.ts';

const wanted: fc.Arbitrary<Wanted> = fc.record({
  environment: fc.constantFrom('workflow' as const, 'mission' as const),
  heapWords: fc.constant(8),
  tenant: fc.constantFrom('a', 'b', 'c', null),
  trustDomain: fc.constantFrom('1', '2', '3'),
  isAlone: fc.nat({ max: 5 }).map((nth) => nth === 0),
});
const index = fc.nat({ max: 20 });
/** What may happen to a fleet; numbers choose among what is there. */
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant('ask' as const), wanted }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('end' as const), index, isFault: fc.boolean() }) },
  fc.record({ what: fc.constantFrom('leave' as const, 'crash' as const, 'wear' as const), index }),
  fc.record({ what: fc.constantFrom('idle' as const, 'deaths' as const) }),
  fc.record({ what: fc.constant('end_domain' as const), wanted }),
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

function happen(fleet: SimulatedFleet, each: Happening): void {
  switch (each.what) {
    case 'ask':
      // Of one tenant's domains no other tenant has any.
      return fleet.ask({ ...each.wanted, trustDomain: `${each.wanted.tenant}/${each.wanted.trustDomain}` });
    case 'end': {
      const open = [...fleet.hosts].flatMap(([host, { isolates }]) =>
        [...isolates].map((ticket) => ({ host, ticket })),
      );
      const chosen = open[each.index % open.length];
      if (chosen !== undefined) fleet.endIsolate(chosen.host, chosen.ticket, each.isFault);
      return;
    }
    case 'leave': {
      const ticket = fleet.waiting()[each.index % fleet.waiting().length];
      if (ticket !== undefined) fleet.leave(ticket);
      return;
    }
    case 'crash':
      return fleet.crash(1 + (each.index % fleet.hosts.size));
    case 'wear': {
      const host = fleet.hosts.get(1 + (each.index % fleet.hosts.size));
      if (host !== undefined) host.isWorn = true;
      return;
    }
    case 'idle':
      return fleet.passIdle();
    case 'deaths':
      return fleet.passDeaths();
    case 'end_domain':
      return fleet.endDomain({ ...each.wanted, trustDomain: `${each.wanted.tenant}/${each.wanted.trustDomain}` });
  }
}

/** Every isolate ends at some time, and every process that is ended dies. */
function passAll(fleet: SimulatedFleet): void {
  for (const [number, { isolates }] of fleet.hosts)
    for (const ticket of isolates) fleet.endIsolate(number, ticket, false);
  fleet.passDeaths();
}

/** `law` is asked after everything that happens. */
function holds(law: (fleet: SimulatedFleet) => void, end: (fleet: SimulatedFleet) => void = () => undefined): void {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 7 }),
      fc.array(happening, { maxLength: 60, size: 'max' }),
      (hosts, events) => {
        const fleet = new SimulatedFleet(hosts);
        for (const each of events) {
          happen(fleet, each);
          law(fleet);
        }
        end(fleet);
      },
    ),
    { numRuns: 300 },
  );
}

describe('a fleet of hosts', () => {
  it('has so many processes at most, those that are being ended among them', () => {
    holds((fleet) => {
      expect(fleet.living().length).to.be.at.most(fleet.hostsMax);
    });
  });

  it('keeps a host to one domain for its whole life, and one that is for a program alone to that', () => {
    holds((fleet) => {
      for (const { requested } of fleet.hosts.values()) {
        expect(
          new Set(requested.map(({ environment, trustDomain }) => `${environment}/${trustDomain}`)).size,
        ).to.be.at.most(1);
        if (requested.some(({ isAlone }) => isAlone)) expect(requested).to.have.length(1);
      }
    });
  });

  it('leaves half of the hosts to missions, and one that is free to another tenant', () => {
    holds((fleet) => {
      const used = fleet.living().filter(({ isolates, ends }) => isolates.size > 0 && ends === 0);
      const workflows = used.filter(({ requested }) => requested[0]?.environment === 'workflow');
      expect(workflows.length).to.be.at.most(Math.floor(fleet.hostsMax / 2));
      const tenants = new Set(used.map(({ requested }) => requested[0]?.tenant));
      const [tenant] = tenants;
      if (tenants.size === 1 && tenant !== null) expect(used.length).to.be.below(fleet.hostsMax);
    });
  });

  it('ends a host that is of no further use, once', () => {
    holds((fleet) => {
      for (const { ends, isSound, isolates, requested, isSpare: isKept } of fleet.hosts.values()) {
        expect(ends).to.be.at.most(1);
        if (ends > 0 || isolates.size > 0 || requested.length === 0) continue;
        expect(isSound && isKept, 'one that holds nothing is kept, for a while').to.equal(true);
        expect(requested.some(({ isAlone }) => isAlone)).to.equal(false);
      }
    });
  });

  it('starves nobody: whoever waits has a place once what is there has ended', () => {
    holds(
      () => undefined,
      (fleet) => {
        for (let rounds = fleet.waiting().length; rounds >= 0; rounds -= 1) passAll(fleet);
        expect(fleet.waiting()).to.deep.equal([]);
      },
    );
  });

  it('leaves no place empty that one who waits may have', () => {
    holds((fleet) => {
      fleet.passDeaths();
      expect(fleet.waiting().filter((ticket) => fleet.hasPlaceFor(ticket))).to.deep.equal([]);
    });
  });

  it('lets in a tenant that comes while others have all that they may', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 9 }), fc.integer({ min: 1, max: 60 }), (hosts, count) => {
        const fleet = new SimulatedFleet(hosts);
        const ask = (tenant: string, trustDomain: string): void =>
          fleet.ask({ environment: 'mission', heapWords: 8, tenant, trustDomain, isAlone: false });
        for (let nth = 0; nth < count; nth += 1) ask('greedy', `greedy/${nth}`);
        ask('late', 'late/1');
        expect(fleet.waiting()).not.to.include(count + 1);
      }),
    );
  });

  it('leaves no host and nobody that waits once it is closed', () => {
    holds(
      () => undefined,
      (fleet) => {
        fleet.close();
        fleet.passDeaths();
        expect([fleet.living().length, fleet.waiting().length]).to.deep.equal([0, 0]);
        for (const { ends } of fleet.hosts.values()) expect(ends).to.equal(1);
      },
    );
  });

  it('replaces a host that has seen a fault, if it had served, and no other', () => {
    const fleet = new SimulatedFleet(4);
    fleet.crash(1);
    expect(fleet.hosts.size).to.equal(1);
    fleet.ask({ environment: 'mission', heapWords: 8, tenant: null, trustDomain: 'x', isAlone: false });
    expect(fleet.hosts.size).to.equal(2);
    fleet.crash(2);
    expect(fleet.hosts.size).to.equal(3);
  });
});

describe('when one that finds no place may come again', () => {
  const entry = (ticket: number, tenant: string) => ({
    ticket,
    wanted: { environment: 'mission', heapWords: 8, tenant, trustDomain: tenant, isAlone: false } as const,
  });
  const moment = { now: 0, views: new Map(), crowd: 0 };

  it('is told once its tenant has as many that wait as may, by how often one is let in', () => {
    let state = newFleet({ hosts: 3, processors: 2 }, 0);
    let own = 0;
    while (retryAfterMs(state, 'greedy', 0) === null) {
      own += 1;
      ({ state } = stepFleet(state, { event: 'wait', entry: entry(own, 'greedy') }, moment));
    }
    expect(own).to.be.within(MAX_WAITING / 2, MAX_WAITING - 1);
    expect(retryAfterMs(state, 'greedy', 0)).to.equal(1000);
    expect(retryAfterMs(state, 'greedy', 5000)).to.equal(5000);
    expect(retryAfterMs(state, 'greedy', 5_000_000)).to.equal(60_000);
    expect(retryAfterMs(state, 'another', 0)).to.equal(null);
  });
});
