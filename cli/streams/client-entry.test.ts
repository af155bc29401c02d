import { expect } from 'chai';
import { clientEntry } from './client-entry.ts';

const ARGS = ['code', '--import', '/work/.mcp.json'];

describe('the entry for a client (code-mode.md §9, 9)', () => {
  for (const [client, member] of [
    ['claude-code', 'mcpServers'],
    ['claude-desktop', 'mcpServers'],
    ['cursor', 'mcpServers'],
    ['vscode', 'servers'],
    ['zed', 'context_servers'],
  ] as const)
    it(client, () => {
      const entry = JSON.parse(clientEntry(client, '/opt/svc/bin/svc', ARGS));
      expect(entry[member].svc).to.include({ command: '/opt/svc/bin/svc' }).and.deep.include({ args: ARGS });
    });

  it('codex, whose file is TOML', () => {
    expect(clientEntry('codex', '/opt/svc/bin/svc', ARGS)).to.equal(
      '[mcp_servers.svc]\ncommand = "/opt/svc/bin/svc"\nargs = ["code","--import","/work/.mcp.json"]\n',
    );
  });
});
