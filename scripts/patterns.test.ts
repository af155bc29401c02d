import { expect } from 'chai';
import { findPatterns } from './patterns.ts';

describe('regular expressions of a file', () => {
  it('are found where they are written, with their flags, types or not', () => {
    const text =
      'const one: RegExp = /a+/gu;\nexport const two = (text: string) => text.replaceAll(/b\\/c/g, "/no/");\n';
    expect(findPatterns(text)).to.deep.equal({ literals: ['/a+/gu', '/b\\/c/g'], isBuilding: false });
  });

  it('are seen to be built at run time', () => {
    for (const text of ['new RegExp(`^${name}$`);', "RegExp('a');"])
      expect(findPatterns(text).isBuilding).to.equal(true);
    expect(findPatterns('const RegExpOf = (one) => one;').isBuilding).to.equal(false);
  });
});
