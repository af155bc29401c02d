import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { start } from '../../../conformance/cli/program.ts';
import { CERTIFICATES } from '../../../conformance/servers/http/listen.ts';
import { startToolServer } from '../../../conformance/servers/mcp-http/server.ts';
import { DISCOVERED, LOOK_UP, TERMS, ToolRoom, textResult, type ToolReport } from '../../../conformance/tools/room.ts';

const PROGRAM = join(import.meta.dirname, '../../../dist/svc.cjs');
const HOOK = 'names.mjs';
const NAME = 'server.test';
/** Nobody can connect to everybody. */
const UNREACHABLE = '255.255.255.255';
const HERE = '127.0.0.1';

/** Answers of the resolver in turn, the last one again and again; null: the name is not known. */
type Answers = readonly (readonly string[] | null)[];

/** The built program in a Node whose resolver knows one name. `isThere`: whether somebody listens at the port. */
async function runWithNames(
  answers: Answers,
  { effect = 'read', isThere = true }: { readonly effect?: 'read' | 'write'; readonly isThere?: boolean } = {},
): Promise<{ readonly report: ToolReport; readonly requests: number }> {
  const server = await startToolServer({
    tls: 'trusted',
    script: [
      { match: { method: 'server/discover' }, action: { result: DISCOVERED } },
      { match: { method: 'tools/list' }, action: { result: { ...TERMS, tools: [LOOK_UP] } } },
      { match: { method: 'tools/call' }, action: { result: textResult('sunny') } },
    ],
  });
  if (!isThere) await server.become('gone');
  const transport = { type: 'streamable_http', endpoint: `https://${NAME}:${server.port}/mcp` };
  const room = new ToolRoom({
    script: { steps: [] },
    installation: { transport },
    tools: { lookUp: { as: 'look-up', effect } },
    config: { allow: ['look-up'] },
  });
  try {
    writeFileSync(
      join(room.directory, HOOK),
      `
      import dns from 'node:dns';
      const answers = ${JSON.stringify(answers)};
      dns.promises.lookup = async (name) => {
        const addresses = name === '${NAME}' ? (answers.length > 1 ? answers.shift() : answers[0]) : null;
        if (addresses === null) throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
        return addresses.map((address) => ({ address, family: 4 }));
      };
    `,
    );
    const ended = await start({
      program: process.execPath,
      argv: [
        '--import',
        `./${HOOK}`,
        PROGRAM,
        'run',
        'svc.json',
        '--host-config',
        'svc-host.json',
        '--envelope',
        'envelope.json',
      ],
      directory: room.directory,
      environment: { SSL_CERT_FILE: join(CERTIFICATES, 'authority.pem') },
    }).ended;
    return { report: await room.report(ended), requests: server.requests.length };
  } finally {
    room.close();
    await server.close();
  }
}

describe('a server of tools whose name changes what it means (providers.md §3 table B, §7.5)', () => {
  it('is called while its name is known', async () => {
    const { report } = await runWithNames([[HERE]]);
    expect(report.value, report.stderr).to.deep.equal({ status: 'ok', value: { text: ['sunny'] } });
  });

  const calls: Readonly<Record<string, readonly [answers: Answers, details: string, isRetryable: boolean]>> = {
    'whose name is not known any more': [[[HERE], [HERE], null], 'mcp_endpoint_name_unresolved', false],
    'that cannot be reached any more': [[[HERE], [HERE], [UNREACHABLE]], 'mcp_transport_error', true],
  };
  for (const [what, [answers, details, isRetryable]] of Object.entries(calls)) {
    for (const effect of ['read', 'write'] as const) {
      it(`${what}, by a tool that ${effect}s: ${details}, nothing was sent`, async () => {
        const { report, requests } = await runWithNames(answers, { effect });
        expect(report.value, report.stderr).to.deep.equal({
          status: 'error',
          kind: 'provider_error',
          reason: 'transport_error',
          details,
          'retryable?': isRetryable,
        });
        expect(requests).to.equal(2);
      });
    }
  }

  const acquisitions: Readonly<Record<string, readonly [answers: Answers, code: string]>> = {
    'one of whose addresses refuses and one of which cannot be reached': [
      [[HERE, UNREACHABLE]],
      'provider_unavailable',
    ],
    'each of whose addresses refuses': [[[HERE, '127.0.0.2']], 'provider_endpoint_connection_refused'],
    'whose name is not known': [[null], 'provider_endpoint_name_unresolved'],
  };
  for (const [what, [answers, code]] of Object.entries(acquisitions)) {
    it(`${what}: ${code}`, async () => {
      const { report } = await runWithNames(answers, { isThere: false });
      expect(report.envelope, report.stderr).to.have.nested.property('error.code', code);
    });
  }
});
