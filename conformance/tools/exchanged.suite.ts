import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { read } from '../snapshots/room.ts';
import {
  CALL,
  LOOK_UP,
  TOOL_SECRET,
  ToolRoom,
  call,
  discover,
  listing,
  textResult,
  type ToolApplication,
} from './room.ts';

type Members = Readonly<Record<string, unknown>>;

const PROJECT = {
  kind: 'svc-project',
  version: 1,
  application: { path: 'svc.json' },
  artifacts: { root: '.svc', trace: true, inspection: true },
};
const SAID = 'a line on standard error\n';
const ANSWERED = { stderr: SAID, result: textResult('a') };
const HOST = { credentials: { key: { env: 'DESK_KEY' } } };
const KEYED = { transport: { env: { TOKEN: { binding: 'key' } } }, host: HOST, environment: { DESK_KEY: TOOL_SECRET } };

/** Items of a collection of the one run that a directory has evidence of. */
const itemsOf = (collection: string, filters = '{}'): string =>
  `(let [id (get (first (get (:value (tool/evidence.runs {})) "items")) "run_id")] (get (:value (tool/evidence.read (merge {"run_id" id "collection" "${collection}"} ${filters}))) "items"))`;

/** What a private snapshot of a real run answers of its calls and of what they exchanged with the server. */
async function evidenceOf(
  application: ToolApplication,
  look: (evidence: {
    readonly exchanges: readonly Members[];
    readonly calls: readonly Members[];
    readonly room: ToolRoom;
    readonly reply: string;
  }) => void,
  filters?: string,
): Promise<void> {
  const room = new ToolRoom(application);
  try {
    writeFileSync(join(room.directory, 'project.json'), JSON.stringify(PROJECT));
    const ended = await room.run(['run', 'project.json'], application.environment);
    expect(ended.status, ended.stderr).to.equal(0);
    const { value, stdout, stderr } = await read(room.directory, {
      install: {
        past: { source: 'svc_private_trace_snapshot', installation_revision: 'r1', directory: '../.svc/traces' },
        evidence: { source: 'svc_inspection_snapshot', installation_revision: 'r1', directory: '../.svc/inspection' },
      },
      select: [{ name: 'past', config: { expose: false } }, { name: 'evidence' }],
      program: `(return [${itemsOf('provider_exchanges', filters)} ${itemsOf('capability_calls')}])`,
      isPrivate: true,
    });
    const [exchanges, calls]: readonly (readonly Members[])[] = Object(value);
    look({ exchanges: exchanges ?? [], calls: calls ?? [], room, reply: `${JSON.stringify(value)}${stdout}${stderr}` });
  } finally {
    room.close();
  }
}

describe('what a run exchanged with a server of tools, as a later run reads it (evidence.md §6, §7; providers.md §10)', () => {
  it('is the messages as they went over the wire, with what the server said beside them, and no secret', async () => {
    const script = {
      steps: [discover(), listing(LOOK_UP), { ...call(ANSWERED), times: 1 }, call({ result: textResult('b') })],
    };
    await evidenceOf(
      { script, program: `[${CALL} (tool/look-up {:city "Bergen"})]`, ...KEYED },
      ({ exchanges, calls, room, reply }) => {
        expect(
          exchanges.map(({ transport, mission_name: mission, request_id: id }) => [transport, mission, id]),
        ).to.deep.equal([
          ['stdio', 'desk', 3],
          ['stdio', 'desk', 4],
        ]);
        expect(exchanges.map(({ request }) => request)).to.deep.equal(room.requests().slice(2));
        expect(exchanges.map(({ response }) => response)).to.deep.equal([
          { jsonrpc: '2.0', id: 3, result: textResult('a') },
          { jsonrpc: '2.0', id: 4, result: textResult('b') },
        ]);
        expect(exchanges.map(({ stderr }) => stderr ?? null)).to.deep.equal([SAID, null]);
        // By the one identifier that joins them with their calls, and by what their server was told of these.
        const own = calls.filter(({ name }) => name === 'look-up');
        expect(exchanges.map(({ capability_id: id }) => id)).to.deep.equal(own.map(({ capability_id: id }) => id));
        const spans = exchanges.map(({ request }) => String(Object(request).params['_meta'].traceparent).split('-')[2]);
        expect(spans).to.deep.equal(
          own.map(({ capability_id: id }) => createHash('sha256').update(String(id)).digest('hex').slice(0, 16)),
        );
        expect(reply).not.to.include(TOOL_SECRET);
      },
    );
  });

  it('is found by the number of its request', async () => {
    const script = { steps: [discover(), listing(LOOK_UP), call({ result: textResult('a') })] };
    await evidenceOf(
      { script, program: `[${CALL} ${CALL}]` },
      ({ exchanges }) => {
        expect(exchanges.map(({ request_id: id }) => id)).to.deep.equal([4]);
      },
      '{"request_id" 4}',
    );
  });

  it('is what a failure was made of, too, and nothing where nobody answered', async () => {
    const script = {
      steps: [
        discover(),
        listing(LOOK_UP),
        { ...call({ error: { code: 7, message: 'no such place' } }), times: 1 },
        call({ exit: 0 }),
      ],
    };
    await evidenceOf({ script, program: `[${CALL} ${CALL}]` }, ({ exchanges, calls }) => {
      expect(exchanges.map(({ response }) => Object(response).error)).to.deep.equal([
        { code: 7, message: 'no such place' },
      ]);
      expect(calls.filter(({ name }) => name === 'look-up').map(({ result }) => Object(result).details)).to.deep.equal([
        'mcp_remote_error',
        'mcp_transport_error',
      ]);
    });
  });

  it('is what identifies an answer, where the operator wants no more kept', async () => {
    const script = { steps: [discover(), listing(LOOK_UP), call(ANSWERED)] };
    await evidenceOf(
      { script, tools: { lookUp: { as: 'look-up', effect: 'read', inspection_capture: 'digest_results' } } },
      ({ exchanges, calls }) => {
        const [exchange = {}] = exchanges;
        expect(exchange['response'] ?? null).to.equal(null);
        expect(JSON.stringify(exchange))
          .to.match(/"svc-canonical-json-v1"/)
          .and.to.include(SAID.trim());
        expect(Object(exchange['request']).params.arguments).to.deep.equal({ city: 'Oslo' });
        expect(JSON.stringify(calls.find(({ name }) => name === 'look-up')))
          .to.include('"svc-canonical-json-v1"')
          .and.not.to.include('"text":["a"]');
      },
    );
  });
});
