import { join } from 'node:path';
import { expect } from 'chai';
import { runTools, type ToolApplication } from './room.ts';

/** A path on which nothing of svc stands. */
const PATH = '/usr/bin:/bin';
const OLDER = [process.execPath, join(import.meta.dirname, '../servers/mcp-older/main.ts'), '--pids', 'pids'];

describe('the servers of tools that come with svc (world.md §2.1)', () => {
  const rows: Readonly<Record<string, Omit<ToolApplication, 'script'>>> = {
    'the server of files': {
      transport: { command: 'svc-fs-mcp', args: ['--root', '.', '--include', '*.clj'] },
      tools: { read_text_file: { as: 'read', effect: 'read' } },
      program: '(get-in (tool/read {:path "main.clj"}) [:status])',
    },
    'the bridge': {
      transport: { command: 'svc-mcp-bridge', args: OLDER, grace_ms: 50 },
      tools: { tell: { as: 'tell', effect: 'read' } },
      program: '(get-in (tool/tell {:a "b"}) [:status])',
    },
  };
  for (const [what, application] of Object.entries(rows))
    it(`${what} is found beside the program, where no path has it`, async () => {
      await runTools({ script: { steps: [] }, ...application, environment: { PATH } }, ({ status, value }) => {
        expect(status).to.equal(0);
        expect(value).to.equal('ok');
      });
    });
});
