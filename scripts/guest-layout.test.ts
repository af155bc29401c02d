import { expect } from 'chai';
import vm from 'node:vm';
import { layOut } from './guest-layout.ts';
import { guestUnits, type Unit } from './guest-units.ts';

const TEXT = `// a.ts
var Base = class {
  name() { return 'base'; }
}, Cold = class extends Base {
};
function double(x) { return x * 2; }
var LIMIT = 7, counter = 0;
function cold(x) { return double(x) + LIMIT; }
// b.ts
function count() { return ++counter; }
var use = {
  call: (x) => cold(x),
  short: () => ({ cold }).cold(1),
  is: (x) => x instanceof Cold,
  make: () => new Cold().name(),
  shadowed: (cold) => cold,
};
`;

/** What `use` does when these names are cold, each module's apart, and what groups were made on the way. */
function run(
  cold: readonly string[],
  expression: string,
): { readonly result: unknown; readonly made: readonly number[] } {
  const units = guestUnits(TEXT);
  const chosen = units.filter(({ name }) => name !== null && cold.includes(name));
  const groups = [...Map.groupBy(chosen, ({ module }) => module).values()];
  const laidOut = layOut({ text: TEXT, units, groups });
  const script = `
    const made = [], $made = [];
    const $group = (index) => ($made[index] ??= (made.push(index), $makers[index]($links, $group, $made)));
    ${laidOut.warm}
    const $links = [${laidOut.links.join(', ')}];
    const $makers = [${laidOut.groups.map(({ head, body }) => `new Function('$links', '$group', '$made', ${JSON.stringify(`${head}\n${body}`)})`).join(', ')}];
    ({ result: ${expression}, made })`;
  const { result, made }: { result: unknown; made: number[] } = vm.runInNewContext(script);
  return { result, made: [...made] };
}

describe('the units of a bundle', () => {
  it('are its functions and variables, each with its module', () => {
    const names = guestUnits(TEXT).map(({ module, name }: Unit) => `${module} ${name}`);
    expect(names).to.deep.equal([
      'a.ts Base',
      'a.ts Cold',
      'a.ts double',
      'a.ts LIMIT',
      'a.ts counter',
      'a.ts cold',
      'b.ts count',
      'b.ts use',
    ]);
  });

  it('are constants but for a variable that is written later', () => {
    expect(
      guestUnits(TEXT)
        .filter(({ isConstant }) => !isConstant)
        .map(({ name }) => name),
    ).to.deep.equal(['counter']);
  });
});

describe('a layout with cold units', () => {
  const cases: readonly (readonly [
    title: string,
    cold: readonly string[],
    expression: string,
    result: unknown,
    made: readonly number[],
  ])[] = [
    ['makes nothing before it is needed', ['cold', 'Cold'], '1', 1, []],
    ['calls a cold function, which finds warm units', ['cold'], 'use.call(5)', 17, [0]],
    ['calls a cold function that uses cold ones of its group', ['cold', 'double', 'LIMIT'], 'use.call(5)', 17, [0]],
    ['writes out the short form of a property', ['cold'], 'use.short()', 9, [0]],
    ['leaves a parameter of the same name alone', ['cold'], 'use.shadowed(4)', 4, []],
    ['makes one of a cold class with a warm base', ['Cold'], 'use.make()', 'base', [0]],
    [
      'takes nothing for one of a class that was not made, and does not make it',
      ['Cold'],
      'use.is(new Base())',
      false,
      [],
    ],
    ['knows one of a class that was made', ['Cold'], 'use.make() && use.is(new ($group(0).m0)())', true, [0]],
    ['makes a group once', ['cold', 'Cold'], 'use.call(1) + use.call(2) + use.make()', '20base', [0]],
  ];
  for (const [title, cold, expression, result, made] of cases) {
    it(title, () => expect(run(cold, expression)).to.deep.equal({ result, made }));
  }

  it('refuses a group that would see a variable as it was', () => {
    const units = guestUnits(TEXT);
    const groups = [units.filter(({ name }) => name === 'count')];
    expect(() => layOut({ text: TEXT, units, groups })).to.throw('counter');
  });
});
