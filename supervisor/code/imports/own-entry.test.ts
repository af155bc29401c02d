import { expect } from 'chai';
import { startsSvcCode } from './own-entry.ts';

const LINKS: Readonly<Record<string, string>> = { tools: '/opt/svc/bin/svc', '/home/ada/tools': '/opt/svc/bin/svc' };
const OWN = { resolve: (word: string) => LINKS[word] ?? null, paths: new Set(['/opt/svc/bin/svc']) };

describe('an entry that starts svc code itself (code-mode.md §9, 15)', () => {
  for (const words of [
    ['svc', 'code'],
    ['/usr/local/bin/svc', 'code', '--import', '.mcp.json'],
    ['npx', '-y', '@svc-lisp/svc', 'code'],
    ['npx', '-y', '@svc-lisp/svc@1.2.3', '--', 'code'],
    ['env', 'A=1', 'svc', 'code'],
    ['node', '/srv/svc.js', 'code'],
    ['tools', 'code'],
    ['/home/ada/tools', 'code'],
  ])
    it(words.join(' '), () => {
      expect(startsSvcCode(words, OWN)).to.equal(true);
    });

  it('is no other server, and no other command of svc', () => {
    for (const words of [
      ['svc', 'gateway', 'g.json'],
      ['npx', 'code-server'],
      ['svc-tools', 'code'],
      ['code', 'svc'],
    ])
      expect(startsSvcCode(words, OWN), words.join(' ')).to.equal(false);
  });
});
