import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from '../servers/mcp-stdio/script.ts';
import {
  LOOK_UP,
  TOOL_SECRET,
  TERMS,
  ToolRoom,
  discover,
  listing,
  type ToolApplication,
  type ToolReport,
} from './room.ts';

type Members = Readonly<Record<string, unknown>>;

const OTHER = {
  name: 'zeta',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
};
const LISTED = { ...LOOK_UP, description: 'Looks up.\u001b[2J' };
const SCRIPT: Script = { steps: [discover(), listing(OTHER, LISTED)] };
const place = (operation: string): Members => ({
  kind: 'provider',
  name: 'desk',
  operation,
  occurrence: { destination: 'mission', index: 0 },
});

async function runCatalog(
  application: Partial<ToolApplication>,
  look: (report: ToolReport, room: ToolRoom) => void,
  argv: readonly string[] = ['catalog', 'desk'],
): Promise<void> {
  const room = new ToolRoom({ script: SCRIPT, ...application });
  try {
    if (argv.includes('--env-file')) writeFileSync(join(room.directory, 'keys.env'), `DESK_KEY=${TOOL_SECRET}\n`);
    look(await room.report(await room.run(argv, application.environment)), room);
    await room.allEnded();
  } finally {
    room.close();
  }
}

describe('the catalogue of a server, for a workflow (documents.md §3)', () => {
  const WORKFLOW = {
    providers: { workflow: [{ name: 'desk', config: { catalog: true } }] },
    missions: {},
    workflow: { components: [{ id: 'main', path: 'own.clj' }], entry: 'main/run' },
  };
  const runSource = async (source: string, look: (report: ToolReport, room: ToolRoom) => void): Promise<void> => {
    const room = new ToolRoom({ script: SCRIPT, manifest: WORKFLOW });
    try {
      writeFileSync(join(room.directory, 'own.clj'), source);
      look(await room.report(await room.run()), room);
      await room.allEnded();
    } finally {
      room.close();
    }
  };

  it('is read, and nothing of the server can be called', async () => {
    await runSource(
      '(ns main) (defn run [input] [(tool/desk.catalog) (tool/desk.catalog {:a 1})])',
      ({ value }, room) => {
        expect(value).to.have.deep.nested.property('[0].value.tools[0]', {
          name: 'lookUp',
          description: 'Looks up.\u001b[2J',
          input_schema: LOOK_UP.inputSchema,
        });
        expect(value).to.have.deep.nested.property('[0].value.pagination', { pages: 1, truncated: false });
        expect(value).to.have.nested.property('[1].reason', 'invalid_arguments');
        expect(room.methods()).to.deep.equal(['server/discover', 'tools/list']);
      },
    );
    await runSource('(ns main) (defn run [input] (tool/look-up {:city "a"}))', ({ status }) => {
      expect(status).not.to.equal(0);
    });
  });
});

describe('svc catalog (providers.md §13)', () => {
  it('lists everything that a server offers, mapped or not, and calls nothing', async () => {
    await runCatalog({}, (report, room) => {
      const result = {
        provider: 'desk',
        tool_count: 2,
        tools: [
          { name: 'lookUp', description: 'Looks up.\u001b[2J', input_schema: LOOK_UP.inputSchema },
          { name: 'zeta', input_schema: OTHER.inputSchema, output_schema: OTHER.outputSchema },
        ],
        pagination: { pages: 1, truncated: false },
      };
      expect(report.envelope).to.deep.include({
        command: 'catalog',
        status: 'ok',
        result,
        warnings: [],
        secondary_errors: [],
      });
      expect(JSON.parse(report.stdout)).to.deep.equal(result);
      expect(report).to.deep.include({ status: 0, stderr: '' });
      expect(room.methods()).to.deep.equal(['server/discover', 'tools/list']);
    });
  });

  it('counts its pages', async () => {
    const page = (cursor: string | null, next: string | null) => ({
      method: 'tools/list',
      ...(cursor === null ? {} : { cursor }),
      action: { result: { ...TERMS, tools: [], ...(next === null ? {} : { nextCursor: next }) } },
    });
    await runCatalog(
      { script: { steps: [discover(), page(null, 'a'), page('a', 'b'), page('b', null)] } },
      ({ envelope }) => {
        expect(envelope).to.have.deep.property('result', {
          provider: 'desk',
          tool_count: 0,
          tools: [],
          pagination: { pages: 3, truncated: false },
        });
      },
    );
  });

  it('is within the ceiling of the installation, whatever an evaluation may take', async () => {
    await runCatalog(
      { installation: { ceilings: { timeout_ms: 60_000 } }, host: { limits: { evaluation_timeout_ms: 1 } } },
      ({ envelope }) => {
        expect(envelope).to.have.property('status', 'ok');
      },
    );
  });

  const CREDENTIALS = {
    transport: { env: { TOKEN: { binding: 'key' } } },
    host: { credentials: { key: { env: 'DESK_KEY' } } },
  };
  it('gives the server its credentials, of the environment file too, and tells them nobody', async () => {
    await runCatalog(
      CREDENTIALS,
      (report) => {
        expect(report.status).to.equal(0);
        expect(JSON.stringify(report)).not.to.include(TOOL_SECRET);
      },
      ['catalog', 'desk', '--env-file', 'keys.env'],
    );
  });

  const refused: Readonly<
    Record<
      string,
      readonly [
        application: Partial<ToolApplication>,
        argv: readonly string[],
        status: number,
        error: Members,
        hint?: string,
      ]
    >
  > = {
    'an alias that is not installed': [
      {},
      ['catalog', 'nobody'],
      3,
      {
        phase: 'provider_declaration',
        code: 'provider_unknown',
        subject: { ...place('declaration'), name: 'nobody' },
        provider_activity: false,
      },
      '; write desk\n',
    ],
    'what is no server of tools': [
      { others: { past: { source: 'svc_trace_snapshot', installation_revision: 'r1', directory: '.' } } },
      ['catalog', 'past'],
      3,
      { code: 'selection_invalid', subject: { ...place('selection'), name: 'past' }, provider_activity: false },
      '; past has no tools to list: its source is svc_trace_snapshot\n',
    ],
    'an environment file that is missing': [
      CREDENTIALS,
      ['catalog', 'desk', '--env-file=none.env'],
      4,
      { code: 'environment_file_not_found', subject: null, provider_activity: false },
    ],
    'a credential that is missing': [
      CREDENTIALS,
      ['catalog', 'desk'],
      4,
      {
        code: 'credential_unavailable',
        subject: { kind: 'provider', name: 'desk', operation: 'credentials', occurrence: null },
        provider_activity: false,
      },
    ],
    'a command that is missing': [
      { transport: { command: '/no/such/command' } },
      ['catalog', 'desk'],
      4,
      { phase: 'local_preflight', code: 'command_not_found', subject: place('local'), provider_activity: false },
    ],
    'a server that is not there': [
      { script: { steps: [discover({ exit: 1 })] } },
      ['catalog', 'desk'],
      4,
      {
        phase: 'provider_acquisition',
        code: 'provider_unavailable',
        subject: place('acquisition'),
        provider_activity: true,
      },
    ],
    'a server that says nothing': [
      { script: { steps: [discover({})] }, installation: { ceilings: { timeout_ms: 1500 } } },
      ['catalog', 'desk'],
      4,
      { code: 'provider_acquisition_timeout', subject: place('acquisition'), provider_activity: true, retryable: true },
    ],
    'a server of another version': [
      { script: { steps: [discover({ error: { code: -32_601, message: 'no' } })] } },
      ['catalog', 'desk'],
      4,
      { code: 'provider_protocol_version_unsupported', subject: place('acquisition'), provider_activity: true },
    ],
    'more tools than the installation allows': [
      { installation: { ceilings: { max_catalog_tools: 1, timeout_ms: 60_000 } } },
      ['catalog', 'desk'],
      4,
      { code: 'provider_protocol_error', subject: place('acquisition'), provider_activity: true },
    ],
    'a schema that is none': [
      { script: { steps: [discover(), listing({ name: 'a', inputSchema: 7 })] } },
      ['catalog', 'desk'],
      4,
      { code: 'provider_protocol_error', subject: place('acquisition'), provider_activity: true },
    ],
  };
  for (const [what, [application, argv, status, error, hint = '']] of Object.entries(refused)) {
    it(`refuses ${what}: ${String(error['code'])}`, async () => {
      await runCatalog(
        application,
        (report) => {
          expect(report.envelope['error']).to.deep.include(error);
          expect(report).to.deep.include({ status, stdout: '' });
          expect(report.stderr).to.include(hint);
        },
        argv,
      );
    });
  }

  it('refuses OAuth that nobody authorised: authorization_required', async () => {
    const oauth = {
      installation_id: 'i',
      issuer: 'https://issuer.example',
      scope_ceiling: [],
      client: {
        registration: 'pre_registered',
        auth_method: 'none',
        client_id: 'c',
        grant_types: ['authorization_code'],
        loopback_redirect: { host: '127.0.0.1', path: '/back' },
      },
    };
    const away = {
      source: 'mcp',
      installation_revision: 'r1',
      transport: { type: 'streamable_http', endpoint: 'https://away.example/mcp', oauth },
      tools: { a: { as: 'a', effect: 'read' } },
    };
    await runCatalog(
      { others: { away } },
      ({ envelope, status }) => {
        expect(status).to.equal(4);
        expect(envelope['error']).to.deep.include({
          code: 'authorization_required',
          provider_activity: false,
          subject: { kind: 'provider', name: 'away', operation: 'authorization', occurrence: null },
        });
      },
      ['catalog', 'away'],
    );
  });
});
