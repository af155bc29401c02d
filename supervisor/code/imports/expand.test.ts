import { expect } from 'chai';
import { expandReferences } from './expand.ts';

const VARIABLES: Readonly<Record<string, string>> = { TOKEN: 'secret-value', EMPTY: '', SVC_INPUT_API_KEY: 'typed' };
const PLACES = { workspace: '/work', home: '/home/ada', variable: (name: string) => VARIABLES[name] };
const expanded = (text: string) => expandReferences(text, PLACES);

describe('references in a client’s configuration (code-mode.md §9, 13 and 14)', () => {
  for (const [text, whole] of [
    ['plain', 'plain'],
    ['Bearer ${TOKEN}!', 'Bearer secret-value!'],
    ['${env:TOKEN}', 'secret-value'],
    ['${TOKEN:-other}', 'secret-value'],
    ['${NONE:-other}', 'other'],
    ['${env:NONE:-a:-b}', 'a:-b'],
    ['${NONE:-}', ''],
    ['${EMPTY:-other}', 'other'],
    ['${workspaceFolder}/a ${userHome}', '/work/a /home/ada'],
    ['${input:api-key}', 'typed'],
    ['$TOKEN ${', '$TOKEN ${'],
  ] as const)
    it(text, () => {
      expect(expanded(text)).to.include({ ok: true, text: whole });
    });

  it('tells of values, which may be secrets, and of nothing else', () => {
    expect(expanded('${TOKEN} ${workspaceFolder} ${NONE:-x}')).to.deep.include({ values: ['secret-value'] });
  });

  it('does not pass on what is not set', () => {
    expect(expanded('${NONE}')).to.deep.equal({ ok: false, reason: 'the variable NONE is not set' });
    expect(expanded('${NONE:-${TOKEN}}')).to.have.property('ok', false);
    expect(expanded('${input:other}')).to.deep.include({
      reason: 'set SVC_INPUT_OTHER, which is its input other',
    });
    expect(expanded('${command:pick}')).to.have.property('ok', false);
  });

  it('does not expand what a value says', () => {
    const twice = { ...PLACES, variable: (name: string) => (name === 'A' ? '${B}' : 'b') };
    expect(expandReferences('${A}', twice)).to.include({ text: '${B}' });
  });
});
