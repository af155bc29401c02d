import { expect } from 'chai';
import { childEnvironment, inheritedEnvironment } from './child-environment.ts';

describe('the environment of a server (providers.md §7.8)', () => {
  const parent: Readonly<Record<string, string>> = {
    HOME: '/h',
    LOGNAME: 'l',
    PATH: '/bin',
    SHELL: '/bin/sh',
    TERM: 'dumb',
    USER: 'u',
    API_KEY: 'secret',
    LC_ALL: 'de',
  };

  it('has six variables of its parent, where it inherits', () => {
    expect(inheritedEnvironment(true, (name) => parent[name])).to.deep.equal({
      HOME: '/h',
      LOGNAME: 'l',
      PATH: '/bin',
      SHELL: '/bin/sh',
      TERM: 'dumb',
      USER: 'u',
    });
  });
  it('leaves out what the parent does not have, and is empty where it does not inherit', () => {
    expect(inheritedEnvironment(true, (name) => (name === 'PATH' ? '/bin' : undefined))).to.deep.equal({
      PATH: '/bin',
    });
    expect(inheritedEnvironment(false, (name) => parent[name])).to.deep.equal({});
  });

  const refused: readonly (readonly [string, string])[] = [
    ['a shell function', '() { :; }'],
    ['a NUL', 'a\0b'],
    ['more than 65,536 bytes', 'ü'.repeat(32_769)],
  ];
  for (const [what, value] of refused) {
    it(`cannot be made where a variable is ${what}`, () => {
      expect(inheritedEnvironment(true, (name) => (name === 'TERM' ? value : undefined))).to.equal(null);
    });
  }
  it('takes a variable of just 65,536 bytes', () => {
    expect(inheritedEnvironment(true, (name) => (name === 'TERM' ? 'x'.repeat(65_536) : undefined))).to.have.property(
      'TERM',
    );
  });

  it('has bindings and always one language', () => {
    expect(childEnvironment({ PATH: '/bin' }, { TOKEN: 't', PATH: '/own' })).to.deep.equal({
      PATH: '/own',
      TOKEN: 't',
      LC_ALL: 'C.UTF-8',
    });
    expect(childEnvironment({}, { LC_ALL: 'de' })).to.deep.equal({ LC_ALL: 'C.UTF-8' });
  });

  const bound = (count: number): Readonly<Record<string, string>> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`V_${at}`, 'v']));
  for (const [count, variables] of [
    [248, 255],
    [249, 256],
  ] as const) {
    it(`has ${variables} variables with ${count} of its own beside all that it inherits`, () => {
      expect(
        Object.keys(childEnvironment(inheritedEnvironment(true, (name) => parent[name]) ?? {}, bound(count))),
      ).to.have.length(variables);
    });
  }
  it('never has 257 variables', () => {
    expect(() => childEnvironment(inheritedEnvironment(true, (name) => parent[name]) ?? {}, bound(250))).to.throw(
      RangeError,
    );
  });
});
