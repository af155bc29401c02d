import { expect } from 'chai';
import { entryPointFaults, roomFaults } from './entry-points.ts';

const lines = (count: number): string => '// more\n'.repeat(count);

describe('files of supervisor/api', () => {
  for (const { rule, source, found } of [
    { rule: 'may name what others declare', source: "export { a } from './a.ts';\nexport type * from './b.ts';\n" },
    { rule: 'may have 70 lines', source: lines(70) },
    { rule: 'have no more', source: lines(71), found: ['a.ts: 71 lines, and may have 70'] },
    { rule: 'may compose something in 15 lines', source: `export function a() {\n${lines(13)}}\n` },
    {
      rule: 'have no longer function',
      source: `\nexport async function a() {\n${lines(14)}}\n`,
      found: ['a.ts:2: a function of 16 lines, which may have 15'],
    },
    {
      rule: 'have none as a constant or a member either',
      source: `const a = () => {\n${lines(14)}};\nconst b = { c() {\n${lines(14)}} };\n`,
      found: [
        'a.ts:1: a function of 16 lines, which may have 15',
        'a.ts:17: a function of 16 lines, which may have 15',
      ],
    },
    {
      rule: 'have no class',
      source: 'class A {}\n',
      found: ['a.ts:1: a class, which belongs to the room that it is about'],
    },
  ]) {
    it(rule, () => {
      expect(entryPointFaults('a.ts', source)).to.deep.equal(found ?? []);
    });
  }

  it('are TypeScript, or the check stops', () => {
    expect(() => entryPointFaults('a.ts', 'export {')).to.throw('a.ts');
  });
});

describe('rooms of the supervisor', () => {
  const rowsOf = (rooms: number, arrows: number) =>
    Array.from({ length: rooms }, (_, index) => ({
      room: `supervisor/room${index}`,
      imports: index === 0 ? ['system', ...Array.from({ length: arrows }, () => 'supervisor/other')] : ['contract'],
    }));

  it('are at most 16, with at most 70 arrows', () => {
    expect(roomFaults([...rowsOf(16, 70), { room: 'cli', imports: ['supervisor/api'] }])).to.deep.equal([]);
  });

  it('are counted, and their arrows', () => {
    expect(roomFaults(rowsOf(17, 71))).to.deep.equal([
      '17 rooms in supervisor/, which may have 16',
      '71 arrows between its rooms, which may have 70',
    ]);
  });
});
