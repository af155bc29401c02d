import { expect } from 'chai';
import { isException } from './no-proxy.ts';

describe('servers that NO_PROXY takes out (world.md §1.6)', () => {
  const rows: readonly (readonly [list: string, host: string, port: number, isOut: boolean])[] = [
    ['llm.corp', 'llm.corp', 443, true],
    ['LLM.Corp', 'llm.corp', 443, true],
    ['corp', 'llm.corp', 443, true],
    ['.corp', 'llm.corp', 443, true],
    ['*.corp', 'llm.corp', 443, true],
    ['.llm.corp', 'llm.corp', 443, true],
    ['lm.corp', 'llm.corp', 443, false],
    ['llm.corp.example', 'llm.corp', 443, false],
    ['a.example, b.example\tc.example', 'c.example', 443, true],
    ['*', 'anything.example', 443, true],
    ['', 'anything.example', 443, false],
    [' , ,', 'anything.example', 443, false],
    ['.', 'anything.example', 443, false],
    ['llm.corp:8443', 'llm.corp', 8443, true],
    ['llm.corp:8443', 'llm.corp', 443, false],
    ['10.1.2.3', '10.1.2.3', 443, true],
    ['10.0.0.0/8', '10.1.2.3', 443, true],
    ['10.0.0.0/8', '11.1.2.3', 443, false],
    ['10.0.0.0/99', '10.1.2.3', 443, false],
    ['10.1.2.3:8443', '10.1.2.3', 443, false],
    ['::1', '[::1]', 443, true],
    ['[::1]', '[::1]', 443, true],
    ['[::1]:8443', '[::1]', 8443, true],
    ['fd00::/8', '[fd12::1]', 443, true],
    ['fd00::/8', '10.1.2.3', 443, false],
    ['2.3', '10.1.2.3', 443, false],
    ['corp', '10.1.2.3', 443, false],
  ];
  for (const [list, host, port, isOut] of rows) {
    it(`${JSON.stringify(list)}: ${host}:${String(port)} ${isOut ? 'is' : 'is not'}`, () => {
      expect(isException(list, host, port)).to.equal(isOut);
    });
  }
});
