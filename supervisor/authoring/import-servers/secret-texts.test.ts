import { expect } from 'chai';
import { mayHoldSecret, secretArgument } from './secret-texts.ts';

describe('arguments that are not copied, since they may hold a secret (world.md §2.3)', () => {
  const rows: readonly (readonly [readonly string[], number])[] = [
    [['-y', '@modelcontextprotocol/server-filesystem', '/home/ann/docs'], -1],
    [['-y', 'figma-mcp', '--figma-api-key=abc', '--stdio'], 2],
    [['-y', 'x', '--api-key', 'abc'], 3],
    [['-y', 'x', '--apiKey', 'abc'], 3],
    [['-y', 'mcp-remote', 'https://a.example/mcp', '--header', 'Authorization: Bearer abc'], 4],
    [['-y', 'mcp-remote', 'https://a.example/mcp?api_key=abc'], 2],
    [['-y', 'mcp-remote', 'https://a.example/mcp?page=2'], -1],
    [['postgresql://ann:pw@localhost/db'], 0],
    [['postgresql://localhost/db'], -1],
    [['run', '-i', '--rm', '-e', 'GITHUB_TOKEN', 'ghcr.io/github/github-mcp-server'], -1],
    [['run', '-e', 'GITHUB_TOKEN=ghx'], 2],
    [['run', '-e', 'LOG_LEVEL=debug'], -1],
    [['--access', 'ghp_0123456789abcdef0123'], 1],
    [['4f1c9d2ab0e84c6f9d2ab0e84c6f1a2b'], 0],
    [['--token'], -1],
    [['--config=/etc/app.json', '--port', '8080'], -1],
  ];
  for (const [args, at] of rows)
    it(args.join(' '), () => {
      expect(secretArgument(args)).to.equal(at);
    });

  it('knows keys by what vendors begin them with', () => {
    for (const key of ['sk-abcdefgh12', 'x=xoxb-123456789-abc', 'glpat-abcdefghijk'])
      expect(mayHoldSecret(key), key).to.equal(true);
    for (const text of ['task-list', 'npm_config', 'pathlike', 'hf_'])
      expect(mayHoldSecret(text), text).to.equal(false);
  });

  it('knows parameters of an address by their names', () => {
    for (const text of ['?token?x=1', '?a=&token=1', '?a?token=1']) expect(mayHoldSecret(text), text).to.equal(true);
    for (const text of ['?token=', '?token&x=1', '?=token']) expect(mayHoldSecret(text), text).to.equal(false);
  });

  it('reads a long text once', () => {
    const times = 1_000_000;
    for (const text of [`://${':'.repeat(times)}`, '?'.repeat(times), `://a${'&a'.repeat(times)}`])
      expect(mayHoldSecret(text)).to.equal(false);
    expect(mayHoldSecret(`${'?'.repeat(times)}token=a`)).to.equal(true);
    expect(mayHoldSecret(`https://ann:${':'.repeat(times)}@a.example`)).to.equal(true);
  });
});
