/**
 * Requests that were damaged at random end in answers of the table, and leave the gateway as it was (gateway.md §3).
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect } from 'chai';
import { randomFrom } from '../../../sandbox/test/language/fuzz/random.ts';
import { META, TOKEN, messagesOf, modern, startTestGateway, type TestGateway } from './gateway.ts';

/** As many as end within a minute or two; SVC_MUTATED_REQUESTS=1000000 for a long look. */
const COUNT = Number(process.env['SVC_MUTATED_REQUESTS'] ?? 100_000);
const SEED = Number(process.env['SVC_MUTATED_SEED'] ?? Date.now() % 1_000_000);
const AT_ONCE = 24;
const ECHO = '(ns main)\n(defn run [input] {:value (get input "value")})\n';
/** What one of the gateway's own faults would answer. */
const FAULTS = new Set([500, 501, 502, 504, 505]);
const GROWTH_BYTES = 200_000_000;

/** Numbers from 0 to below `bound`, the same for the same seed. */
function numbersFrom(seed: number): (bound: number) => number {
  const random = randomFrom(seed);
  return (bound) => Math.floor(random() * bound);
}

type Random = ReturnType<typeof numbersFrom>;
const oneOf = <T>(random: Random, list: readonly T[]): T => {
  const found = list[random(list.length)];
  if (found === undefined) throw new Error('the list has something');
  return found;
};

const METHODS = [
  'tools/list',
  'tools/list',
  'server/discover',
  'ping',
  'initialize',
  'tools/call',
  'resources/list',
  'notifications/cancelled',
] as const;
const ODD = [
  '',
  '\0',
  '\u00ff',
  '\r',
  '\n',
  ' ',
  'a'.repeat(9000),
  '%00',
  '../..',
  '=?base64?AA==?=',
  '=?base64?*?=',
  'Bearer',
  '0',
  '-1',
  '1e999',
  '9007199254740993',
  'null',
  '[]',
  '{}',
  '"',
  '\\',
  'utf-8',
  '*/*;q=0',
  'chunked',
  'gzip',
  '2025-06-18',
  '1999-01-01',
] as const;

interface Parts {
  line: string;
  fields: string[];
  body: string;
}

function validParts(random: Random, host: string): Parts {
  const method = oneOf(random, METHODS);
  const isModern = random(3) > 0;
  const params = {
    ...(method === 'tools/call' ? { name: 'echo', arguments: { value: 'v' } } : {}),
    ...(isModern ? { _meta: META } : {}),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: random(5) === 0 ? 'text' : random(1000), method, params });
  return {
    line: 'POST /mcp HTTP/1.1',
    body,
    fields: [
      `Host: ${host}`,
      `Authorization: Bearer ${TOKEN}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(isModern ? ['MCP-Protocol-Version: 2026-07-28', `Mcp-Method: ${method}`] : []),
      ...(isModern && method === 'tools/call' ? ['Mcp-Name: echo'] : []),
    ],
  };
}

/** A text with one place cut, doubled, swapped for something odd, or with one bit the other way. */
function damaged(random: Random, text: string): string {
  const at = random(text.length + 1);
  switch (random(5)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1 + random(8));
    case 1:
      return text.slice(0, at) + oneOf(random, ODD) + text.slice(at);
    case 2:
      return text.slice(0, at) + text.slice(Math.max(0, at - random(20)));
    case 3:
      return text.slice(0, at) + oneOf(random, ODD) + text.slice(at + random(20));
    default:
      return (
        text.slice(0, at) +
        String.fromCodePoint(((text.codePointAt(at) ?? 0x41) % 128) ^ (1 << random(7))) +
        text.slice(at + 1)
      );
  }
}

function mutate(random: Random, parts: Parts): string {
  const { fields } = parts;
  const field = random(fields.length);
  switch (random(9)) {
    case 0:
      parts.line = damaged(random, parts.line);
      break;
    case 1:
      fields[field] = damaged(random, fields[field] ?? '');
      break;
    case 2:
      fields.splice(field, 1);
      break;
    case 3:
      fields.splice(random(fields.length), 0, fields[field] ?? '');
      break;
    case 4:
      fields[field] = `${fields[field]?.split(':')[0] ?? 'X'}: ${oneOf(random, ODD)}`;
      break;
    case 5:
      fields.push(...Array.from({ length: random(80) }, (_, nth) => `X-${nth}: ${'x'.repeat(random(700))}`));
      break;
    case 6:
      parts.body = damaged(random, parts.body);
      break;
    case 7:
      parts.body = damaged(random, damaged(random, parts.body));
      break;
    default:
      parts.body = parts.body.replace(/"(?:[^"\\]|\\.)*"|\d+/g, (token) =>
        random(6) === 0
          ? oneOf(random, [
              'null',
              '[]',
              '{}',
              '1.5',
              '-0',
              '1e400',
              '""',
              '"\\ud800"',
              '[[[[[[[[]]]]]]]]',
              'true',
              token,
            ])
          : token,
      );
  }
  // The length is of the damaged body for most of them, so that its bytes are looked at.
  const isLength = random(5) > 0;
  const sized = isLength
    ? fields.map((line) =>
        /^content-length: \d+$/i.test(line) ? `Content-Length: ${Buffer.byteLength(parts.body)}` : line,
      )
    : fields;
  return `${parts.line}\r\n${sized.join('\r\n')}\r\n\r\n${parts.body}`;
}

/** The status of the answer to such bytes; null where the socket was closed without one. */
async function statusOf(port: number, bytes: string): Promise<number | null> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (): void => {
      socket.destroy();
      const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(said) ?? [];
      resolve(status === undefined ? null : Number(status));
    };
    socket.setEncoding('latin1').once('connect', () => {
      socket.write(Buffer.from(bytes, 'utf8'));
    });
    // The head of an answer is all that is looked at; who says nothing more gets no further answer either.
    socket
      .on('data', (text: string) => {
        said += text;
        if (said.includes('\r\n')) end();
      })
      .on('close', end)
      .on('error', end);
    socket.setTimeout(100, () => {
      socket.end();
    });
  });
}

const residentBytes = (pid: number): number => Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;

describe('damaged requests', () => {
  let gateway: TestGateway;
  before(async () => {
    gateway = await startTestGateway({
      tools: { echo: { program: ECHO } },
      edit: (document) => ({
        ...document,
        admission: {
          max_inflight_requests: 64,
          max_concurrent_runs: 4,
          max_active_provider_calls: 2,
          max_waiting_provider_calls: 0,
        },
      }),
    });
  });
  after(async () => {
    expect(await gateway.stop()).to.deep.include({ status: 0, stderr: '' });
  });

  it(`are answered by the table, ${COUNT} of them, and cost nothing that stays (seed ${SEED})`, async function () {
    this.timeout(0);
    const random = numbersFrom(SEED);
    const [port, pid] = [Number(gateway.url.port), gateway.child.pid ?? 0];
    const statuses = new Map<number | null, number>();
    let sent = 0;
    let early = 0;
    const worker = async (): Promise<void> => {
      while (sent < COUNT) {
        sent += 1;
        if (sent === Math.floor(COUNT / 4)) early = residentBytes(pid);
        const bytes = mutate(random, validParts(random, gateway.url.host));
        const status = await statusOf(port, bytes);
        if (status !== null && FAULTS.has(status)) throw new Error(`answered with ${status}: ${JSON.stringify(bytes)}`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    // Each kind of answer was met, or what is sent is no trial of it.
    for (const status of [200, 202, 400, 401, 404, 406, 415, 431])
      expect(statuses.get(status) ?? 0, `answers with ${status} of ${JSON.stringify([...statuses])}`).to.be.greaterThan(
        0,
      );
    expect(residentBytes(pid) - early).to.be.lessThan(GROWTH_BYTES);
    expect((await fetch(new URL('/health/ready', gateway.url))).status).to.equal(200);
    const end = (
      await messagesOf(await fetch(gateway.url, modern('tools/call', { name: 'echo', arguments: { value: 'still' } })))
    ).at(-1);
    expect(end).to.have.nested.property('result.structuredContent.value', 'still');
  });
});
