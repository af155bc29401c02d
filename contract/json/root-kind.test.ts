import { expect } from 'chai';
import * as fc from 'fast-check';
import { firstRootKind } from './root-kind.ts';

const encoder = new TextEncoder();

describe('firstRootKind (documents.md §6)', () => {
  const deep = '['.repeat(100_000);
  const cases: readonly (readonly [string, string, string | undefined])[] = [
    ['the only member', '{"kind":"svc-project"}', 'svc-project'],
    ['white space around', ' \n{ "kind"\t:\r"svc-project" }', 'svc-project'],
    ['the first of two', '{"kind":"a","kind":"b"}', 'a'],
    ['the first that is a string', '{"kind":1,"kind":null,"kind":{"kind":"x"},"kind":"b"}', 'b'],
    ['the first that is readable', '{"kind":"\\q","kind":"\\ud800","kind":"b"}', 'b'],
    ['behind other members', '{"a":[{"kind":"x"},"]}\\""],"b":-1.5e3,"c":true,"kind":"svc-project"}', 'svc-project'],
    ['an escaped key and value', '{"\\u006b\\u0069\\u006E\\u0064":"svc\\u002dproject"}', 'svc-project'],
    ['before what is no JSON', '{"kind":"a",,,', 'a'],
    ['in a document cut off', '{"kind":"a","rest":"never clos', 'a'],
    ['before an endless depth', `{"kind":"a","b":${deep}`, 'a'],
    ['an empty string', '{"kind":""}', ''],
    ['not behind an endless depth', `{"b":${deep},"kind":"a"`, undefined],
    ['not when cut off itself', '{"kind":"svc-pro', undefined],
    ['not in an array', '[{"kind":"a"}]', undefined],
    ['not nested', '{"a":{"kind":"a"}}', undefined],
    ['not as a value', '{"a":"kind","b":"a"}', undefined],
    ['not another key', '{"kin":"a","kinds":"b","Kind":"c","\\u006bind\\u0020":"d"}', undefined],
    ['not without its colon', '{"kind" "a"}', undefined],
    ['not two strings', '{"kind":"a" "b"}', undefined],
    ['not after a byte order mark', '\uFEFF{"kind":"a"}', undefined],
    ['not in nothing', '', undefined],
    ['not in an open brace', '{', undefined],
    ['not in an empty object', '{}', undefined],
    ['not after a stray comma', '{,"kind":"a"}', undefined],
    ['not after the root', '{} "kind":"a"', undefined],
  ];
  for (const [name, text, kind] of cases) {
    it(`reads a kind: ${name}`, () => {
      expect(firstRootKind(encoder.encode(text))).to.equal(kind);
    });
  }

  it('passes over a kind that is not UTF-8', () => {
    const bytes = encoder.encode('{"kind":"?","kind":"b"}');
    bytes[9] = 0xff;
    expect(firstRootKind(bytes)).to.equal('b');
  });

  it('agrees with JSON.parse on objects, cut off behind the member or whole', () => {
    const members = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(members, members, fc.string(), (before, after, kind) => {
        const ordered = Object.entries({ ...before, ...after }).filter(([key]) => key !== 'kind');
        const text = JSON.stringify(Object.fromEntries([...ordered, ['kind', kind], ['later', 1]]));
        const member = JSON.stringify({ kind }).slice(1, -1);
        const end = encoder.encode(text.slice(0, text.lastIndexOf(member) + member.length)).length;
        expect(firstRootKind(encoder.encode(text))).to.equal(kind);
        expect(firstRootKind(encoder.encode(text).subarray(0, end))).to.equal(kind);
      }),
    );
  });

  it('takes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), (bytes) => {
        const kind = firstRootKind(bytes);
        expect(kind === undefined || bytes[0] !== undefined).to.equal(true);
      }),
    );
  });
});
