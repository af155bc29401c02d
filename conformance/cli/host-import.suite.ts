import { expect } from 'chai';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runResident } from './resident/resident.ts';

const SECRET = 'planted-secret-0123';

describe('svc host import (cli.md §10)', () => {
  let directory = '';
  beforeEach(() => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'svc-import-')));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const svc = async (...argv: readonly string[]) => runResident({ argv, directory, environment: {} });
  const write = (name: string, content: unknown): void => writeFileSync(join(directory, name), JSON.stringify(content));
  const host = (): string => readFileSync(join(directory, 'svc-host.json'), 'utf8');

  it('writes a host document that validates, with no secret in it', async () => {
    write('.mcp.json', {
      mcpServers: {
        gitHub: { command: 'npx', args: ['-y', 'server-github'], env: { GITHUB_TOKEN: SECRET } },
        docs: { type: 'http', url: 'https://docs.example/mcp', headers: { Authorization: `Bearer ${SECRET}` } },
        old: { type: 'sse', url: 'https://old.example/sse' },
      },
    });
    const { status, stdout, stderr } = await svc('host', 'import', '.mcp.json');
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    const report = JSON.parse(stdout);
    expect(report).to.deep.include({ created: true, written: true, kept: [] });
    expect(report.installed.map(({ alias }: { readonly alias: string }) => alias)).to.deep.equal(['git-hub', 'docs']);
    expect(report.left_out).to.have.lengthOf(1);
    expect(host() + stdout).not.to.include(SECRET);
    expect(JSON.parse(host())).to.have.deep.property('credentials', {
      'github-token': { env: 'GITHUB_TOKEN' },
      'docs-token': { env: 'DOCS_TOKEN' },
    });
    // Nobody has judged the tools of these servers (approvals.md §15).
    for (const alias of ['git-hub', 'docs'])
      expect(JSON.parse(host())).to.have.nested.property(`install.${alias}.approval`, 'writes');
    const models = await svc('models', '--host-config', 'svc-host.json');
    expect(models.status, models.stderr).to.equal(0);
  });

  it('adds to what is there, and changes none of it', async () => {
    const before = '{\n  "install": {\n  },\n  "limits": {"evaluation_timeout_ms":   1000}\n}\n';
    writeFileSync(join(directory, 'svc-host.json'), before);
    write('mcp.json', { servers: { a: { command: 'a' } } });
    expect((await svc('host', 'import', 'mcp.json', '--dry-run')).status).to.equal(0);
    expect(host()).to.equal(before);
    expect((await svc('host', 'import', 'mcp.json')).status).to.equal(0);
    expect(host()).to.include('"limits": {"evaluation_timeout_ms":   1000}');
    const after = host();
    const again = await svc('host', 'import', 'mcp.json');
    expect(JSON.parse(again.stdout)).to.deep.include({ kept: ['a'], installed: [], written: false });
    expect(host()).to.equal(after);
  });

  it('refuses what it cannot read, and says what to mend', async () => {
    writeFileSync(join(directory, 'broken.json'), '{ // comment\n  "mcpServers": {\n    "é" 1,\n  }\n}');
    writeFileSync(join(directory, 'twice.json'), '{"mcpServers": {},\n "mcpServers": {}}');
    writeFileSync(join(directory, 'no-object.json'), '{"servers": {"a": {"command": "a"}, "my hub": 3}}');
    for (const [argv, words] of [
      [['broken.json'], /broken\.json: its JSON is broken at line 3, column 9: a comma or a colon is missing/],
      [['twice.json'], /twice\.json: its JSON is broken at line 2, column 2: a member is there twice/],
      [['no-object.json'], /no-object\.json: its server "my hub" is no object/],
      [['none.json'], /there is no file .*none\.json/],
      [['.'], /is no file that can be read safely/],
      [[], /FILE/],
    ] as const) {
      const { status, stderr } = await svc('host', 'import', ...argv);
      expect(status, stderr).to.equal(2);
      expect(stderr).to.match(words);
    }
  });
});
