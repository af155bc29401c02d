import { expect } from 'chai';
import fc from 'fast-check';
import { strictJson } from './strict-json.ts';

describe('settings of editors as strict JSON', () => {
  for (const [settings, value] of [
    ['{"a": 1, // note\n "b": [1, 2,],}', { a: 1, b: [1, 2] }],
    ['/* "x": { */ {"a": "// no comment", "b": "/* nor this */"}', { a: '// no comment', b: '/* nor this */' }],
    ['{"a": "quote \\" , }",}', { a: 'quote " , }' }],
    ['[1, /* last */ ]', [1]],
  ] as const)
    it(settings.replaceAll('\n', ' '), () => {
      expect(JSON.parse(strictJson(settings))).to.deep.equal(value);
    });

  it('leaves what is strict as it is, and everything in its place', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), (json, text) => {
        expect(strictJson(json)).to.equal(json);
        expect(strictJson(text)).to.have.length(text.length);
      }),
    );
  });
});
