import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CERTIFICATES } from '../servers/http/listen.ts';
import type { HttpAction, HttpStep } from '../servers/mcp-http/script.ts';
import { startToolServer, type ToolServerOptions } from '../servers/mcp-http/server.ts';
import { publicLikeDocument } from '../servers/openapi/document.ts';
import { startApi, type Behaviour } from '../servers/openapi/server.ts';
import { ApiRoom } from '../openapi/room.ts';
import { DISCOVERED, LOOK_UP, TERMS, ToolRoom, textResult } from './room.ts';

/** Fails with what a call was answered, so that its words are told. */
const WORKFLOW = `(ns main) (defn run [input]
  (let [answer (get (kernel/eval-source "desk" (get input "program")) :value)]
    (if (= "error" (:status answer)) (fail answer) answer)))`;
const TRUSTED = { SSL_CERT_FILE: join(CERTIFICATES, 'authority.pem') };

const on = (method: string, action: HttpAction, times?: number): HttpStep => ({
  match: { method },
  action,
  ...(times === undefined ? {} : { times }),
});
const NEWEST = [on('server/discover', { result: DISCOVERED })];
const listed = (more: HttpAction = {}): HttpStep =>
  on('tools/list', { result: { ...TERMS, tools: [LOOK_UP] }, ...more });

/** What people read on standard error of a run whose one call of a tool failed, or that began no session. */
async function failureText(options: ToolServerOptions, endpoint?: string): Promise<string> {
  const server = await startToolServer(options);
  const room = new ToolRoom({
    script: { steps: [] },
    installation: {
      transport: {
        type: 'streamable_http',
        endpoint: endpoint ?? server.url,
        ...(options.tls === undefined && endpoint === undefined && { allow_insecure_loopback: true }),
      },
    },
  });
  try {
    writeFileSync(join(room.directory, 'main.clj'), WORKFLOW);
    const { status, stderr } = await room.run(['run', 'svc.json'], TRUSTED);
    expect(status, stderr).not.to.equal(0);
    return stderr;
  } finally {
    room.close();
    await server.close();
  }
}

describe('what people read of a call that failed on its way (world.md §1.5)', () => {
  const calls: Readonly<Record<string, readonly [options: ToolServerOptions, words: RegExp]>> = {
    'nobody is there any more': [
      { script: [...NEWEST, listed({ becomes: 'gone' })] },
      /^provider desk: connection refused \(127\.0\.0\.1:\d+\)$/m,
    ],
    'the certificate has expired': [
      { script: [...NEWEST, listed({ becomes: 'expired' })], tls: 'trusted' },
      /^provider desk: TLS: the certificate has expired \(CERT_HAS_EXPIRED\)$/m,
    ],
    'the certificate is for another name': [
      { script: [...NEWEST, listed({ becomes: 'wrong-name' })], tls: 'trusted' },
      /^provider desk: TLS: the certificate is for another name \(ERR_TLS_CERT_ALTNAME_INVALID\)$/m,
    ],
    'the connection is reset': [
      { script: [...NEWEST, listed(), on('tools/call', { fault: 'reset' })] },
      /^provider desk: connection closed before the answer was whole$/m,
    ],
    'the server is out of order': [
      { script: [...NEWEST, listed(), on('tools/call', { status: 503 })] },
      /^provider desk: HTTP 503$/m,
    ],
  };
  for (const [what, [options, words]] of Object.entries(calls))
    it(`of a tool, where ${what}`, async () => {
      expect(await failureText(options)).to.match(words);
    });

  it('of a server whose name nobody knows', async () => {
    const stderr = await failureText({ script: [] }, 'https://nobody.invalid/mcp');
    expect(stderr).to.match(/^provider desk: name not found.* \(nobody\.invalid\)$/m);
  });

  const operations: Readonly<Record<string, readonly [behaviour: Behaviour, words: RegExp]>> = {
    'the connection is reset': [{ fault: 'reset' }, /^provider api: connection closed before the answer was whole$/m],
    'bytes come that are no HTTP': [{ fault: 'garbage' }, /^provider api: the answer is no HTTP$/m],
  };
  for (const [what, [behaviour, words]] of Object.entries(operations))
    it(`of an operation, where ${what}`, async () => {
      expect(await apiFailureText({ getIssue: behaviour })).to.match(words);
    });

  it('of an API that is not there, and of one whose name nobody knows', async () => {
    expect(await apiFailureText({}, 'gone')).to.match(/^provider api: connection refused \(127\.0\.0\.1:\d+\)$/m);
    expect(await apiFailureText({}, 'https://nobody.invalid')).to.match(
      /^provider api: name not found.* \(nobody\.invalid\)$/m,
    );
  });
});

async function apiFailureText(
  behaviours: Readonly<Record<string, Behaviour>>,
  endpoint: 'gone' | `https://${string}` | null = null,
): Promise<string> {
  const document = publicLikeDocument(['issues']);
  const server = await startApi({ document, behaviours });
  const isElsewhere = endpoint !== null && endpoint !== 'gone';
  const room = new ApiRoom({
    document,
    program: '(tool/get-issue {:id 1})',
    config: { allow: ['get-issue'] },
    installation: {
      endpoint: isElsewhere ? endpoint : server.url,
      ...(isElsewhere ? {} : { allow_insecure_loopback: true }),
    },
    files: { 'main.clj': WORKFLOW },
  });
  try {
    if (endpoint === 'gone') await server.close();
    const { status, stderr } = await room.command(['run', 'svc.json', '--host-config', 'svc-host.json']);
    expect(status, stderr).not.to.equal(0);
    return stderr;
  } finally {
    room.close();
    await server.close();
  }
}

describe('what people read of a session (world.md §2.1)', () => {
  const started = {
    headers: { 'mcp-session-id': 'one' },
    result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } },
  };
  const opening = (more: readonly HttpStep[]): ToolServerOptions => ({
    isOlder: true,
    script: [on('server/discover', { status: 404 }), ...more],
  });
  const HEARD = on('notifications/initialized', { status: 202 });
  const LISTED = on('tools/list', { result: { tools: [LOOK_UP] } });

  it('whose server will not hear that it began', async () => {
    const stderr = await failureText(
      opening([on('initialize', started), on('notifications/initialized', { status: 400 })]),
    );
    expect(stderr).to.match(/^provider desk: it did not take the beginning of its session$/m);
  });

  it('that its server has forgotten, and will not begin again', async () => {
    const steps = [on('initialize', started, 1), on('initialize', { status: 400 }), HEARD, LISTED];
    const stderr = await failureText(opening([...steps, on('tools/call', { status: 404 })]));
    expect(stderr).to.match(/^provider desk: it knows nothing of its session any more$/m);
  });

  it('nothing where it was begun again', async () => {
    const steps = [on('initialize', started), HEARD, LISTED, on('tools/call', { status: 404 }, 1)];
    const server = await startToolServer(opening([...steps, on('tools/call', { result: textResult('sunny') })]));
    const room = new ToolRoom({
      script: { steps: [] },
      installation: { transport: { type: 'streamable_http', endpoint: server.url, allow_insecure_loopback: true } },
    });
    try {
      const { status, stdout, stderr } = await room.run();
      expect(status, stderr).to.equal(0);
      expect(stdout).to.include('sunny');
      expect(stderr).not.to.include('session');
    } finally {
      room.close();
      await server.close();
    }
  });
});
