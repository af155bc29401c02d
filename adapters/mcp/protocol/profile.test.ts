import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { MCP_PROFILE_SCHEMA } from '../../../contract/mcp/profile-schema.ts';
import { callRequest, cancelledNotification, discoverRequest, listRequest } from './request.ts';
import { CLIENT } from './revision.ts';

/** The schema of each member, wherever it stands. */
function membersOf(schema: unknown): readonly unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const named =
    'properties' in schema &&
    typeof schema.properties === 'object' &&
    schema.properties !== null &&
    !('description' in schema.properties && typeof schema.properties.description === 'string')
      ? Object.values(schema.properties)
      : [];
  return [...named, ...Object.values(schema).flatMap(membersOf)];
}

describe('the published profile of the protocol (cli.md §7)', () => {
  const matches = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(MCP_PROFILE_SCHEMA);
  const meta = {
    client: CLIENT,
    revision: '2026-07-28',
    progressToken: 1,
    traceparent: '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01',
  } as const;
  const tool = {
    upstream: 'lookUp',
    description: null,
    inputSchema: '{"type":"object"}',
    outputSchema: null,
    headers: [],
  };
  const message = (changes: object): object => ({ jsonrpc: '2.0', id: 1, ...changes });
  const listed = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

  it('describes what is sent', () => {
    const sent = [
      discoverRequest(1, meta).text,
      listRequest(2, meta, null).text,
      listRequest(3, meta, 'next').text,
      callRequest(4, meta, tool, '{"city":"Oslo"}').text,
      cancelledNotification(CLIENT, '2026-07-28', 4, 'gone'),
    ];
    for (const text of sent)
      expect(matches(JSON.parse(text)), `${text} ${JSON.stringify(matches.errors)}`).to.equal(true);
  });

  it('admits what is taken, and nothing else', () => {
    const used = [
      { result: { ...listed, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } },
      { result: { ...listed, tools: [{ name: 'lookUp', inputSchema: { type: 'object' } }] } },
      { result: { resultType: 'complete', content: [{ type: 'text', text: 'a' }], isError: true } },
      { error: { code: -31_999, message: 'busy', data: { reason: 'run_capacity_exhausted' } } },
    ];
    for (const changes of used) expect(matches(message(changes)), JSON.stringify(changes)).to.equal(true);
    const refused = [
      [],
      {},
      message({}),
      message({ method: 'initialize', params: {} }),
      message({ result: { ...listed, supportedVersions: ['2025-11-25'], capabilities: { tools: {} } } }),
      message({ result: { ...listed, tools: [{ name: 'look up', inputSchema: { type: 'object' } }] } }),
      message({ result: { resultType: 'complete', content: [{ type: 'image', data: '' }] } }),
      message({ error: { code: 1, message: 'x', more: 1 } }),
    ];
    for (const other of refused) expect(matches(other), JSON.stringify(other)).to.equal(false);
  });

  it('explains each of its members', () => {
    const members = membersOf(MCP_PROFILE_SCHEMA.$defs);
    expect(members.length).to.be.greaterThan(30);
    for (const member of members) expect(member, JSON.stringify(member)).to.have.any.keys('description', '$ref');
  });
});
