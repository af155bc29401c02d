import { expect } from 'chai';
import { ROUTES, isReservedName, routeNamed, type RouteFacts } from './routes.ts';

describe('the routes (runtime.md §6)', () => {
  const named = (isOne: (route: RouteFacts) => boolean): readonly string[] =>
    ROUTES.filter(isOne).map(({ name }) => name);

  const columns: readonly (readonly [string, (route: RouteFacts) => boolean, readonly string[]])[] = [
    [
      'both environments have',
      ({ environments }) => environments.includes('mission'),
      ['runtime-usage', 'runtime-remaining', 'cap-list', 'cap-describe', 'cap-search'],
    ],
    [
      'the broker answers beside those',
      ({ server, environments }) => server === 'broker' && environments.length === 1,
      ['runtime-wait', 'workflow-annotate'],
    ],
    [
      'name a mission',
      ({ namesMission }) => namesMission,
      ['kernel-eval', 'kernel-check-source', 'kernel-mission-inventory', 'kernel-mission-model-context'],
    ],
    ['do what a mission does', ({ effect }) => effect === 'missions', ['kernel-eval']],
    ['change something themselves', ({ effect }) => effect === 'write' || effect === 'unknown', []],
    [
      'judge a value',
      ({ judgesValue }) => judgesValue,
      ['kernel-result-contract', 'kernel-result-contract-failure', 'kernel-phase-return-contract-failure'],
    ],
    [
      'are private',
      ({ isPrivate }) => isPrivate,
      [
        'kernel-workspace',
        'kernel-runtime-limit-failure',
        'kernel-llm-provider-failure',
        'kernel-result-contract-failure',
        'kernel-phase-return-contract-failure',
        'kernel-agent-config-failure',
        'kernel-agent-outcome-failure',
        'kernel-agent-protocol-error',
      ],
    ],
  ];
  for (const [what, isOne, names] of columns) {
    it(`that ${what}`, () => {
      expect(named(isOne)).to.deep.equal(names);
    });
  }

  it('are all there, each once, and every workflow has them', () => {
    expect(new Set(ROUTES.map(({ name }) => name)).size).to.equal(20);
    expect(ROUTES.every(({ environments }) => environments.some((environment) => environment === 'workflow'))).to.equal(
      true,
    );
  });

  const names: readonly (readonly [string, boolean, boolean])[] = [
    ['cap-list', true, true],
    ['kernel-eval', true, true],
    ['kernel-anything', false, true],
    ['kernel', false, false],
    ['cap-table', false, false],
    ['llm-request', false, false],
    ['toString', false, false],
    ['', false, false],
  ];
  for (const [name, isRoute, isReserved] of names) {
    it(`${JSON.stringify(name)}: ${isRoute ? 'a route' : 'no route'}, ${isReserved ? 'reserved' : 'free'}`, () => {
      expect([routeNamed(name)?.name === name, isReservedName(name)]).to.deep.equal([isRoute, isReserved]);
    });
  }
});
