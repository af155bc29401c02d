import { expect } from 'chai';
import type { JsonValue } from '../../../contract/json/value.ts';
import { shortSnapshot } from './imported-provider.ts';
import { listedServers, type SnapshotServer } from './snapshot-room.ts';

function server(alias: string, tools: number, isImported = true): SnapshotServer {
  const listed = Array.from({ length: tools }, (_, at) => new Map<string, JsonValue>([['name', `${at}`.padEnd(500)]]));
  return {
    alias,
    isImported,
    snapshot: { acquisition: new Map<string, JsonValue>([['tools', listed]]), unidentified: [], contentHash: null },
  };
}

describe('what a trace says of imported servers (code-mode.md §3)', () => {
  it('lists their tools as long as there is room, and of the longest lists the digest and the count', () => {
    expect([...listedServers([server('a', 10), server('b', 400)], 1_000_000)]).to.deep.equal(['a', 'b']);
    expect([...listedServers([server('a', 10), server('b', 600)], 1_000_000)]).to.deep.equal(['a']);
    expect([...listedServers([server('own', 600, false), server('b', 10)], 1_000_000)]).to.deep.equal([]);
    expect([...listedServers([server('a', 10), server('b', 400)], 100_000)]).to.deep.equal(['a']);
    const short = shortSnapshot(server('b', 600).snapshot).acquisition;
    expect([...short.keys()]).to.deep.equal(['tools_hash', 'tool_count']);
    expect(short.get('tool_count')).to.equal(600);
    expect(short.get('tools_hash')).to.match(/^[0-9a-f]{64}$/);
  });
});
