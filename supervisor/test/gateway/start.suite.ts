import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { ENVIRONMENT, TOKEN, firstLine, gatewayDirectory, messagesOf, modern, startTestGateway } from './gateway.ts';

const PROGRAM = '(ns main)\n(defn run [input] {:value (get input "value")})\n';
const TOOLS = { echo: { program: PROGRAM }, other: { program: PROGRAM } };
/** Where a fault is in a document of one line is counted in characters that no test counts. */
const withoutPlace = (text: string): string => text.replace(/^tried\.json:1:\d+: /gmu, 'tried.json: ');
type Document = Readonly<Record<string, unknown>>;

describe('the start of a gateway (gateway.md §1, documents.md §8)', () => {
  let directory: string;
  before(async () => {
    ({ directory } = await gatewayDirectory({ tools: TOOLS }));
  });
  after(() => {
    removeWorkDirectory(directory);
  });

  const pinned = (): Document => JSON.parse(readFileSync(`${directory}/gateway.json`, 'utf8'));
  const tools = (change: object): object => ({
    ...pinned(),
    tools: [pinned()['tools']].flat().map((tool) => ({ ...Object(tool), ...change })),
  });
  const startOf = async (
    document: unknown,
    options: readonly string[] = [],
    environment: Readonly<Record<string, string>> = ENVIRONMENT,
  ): Promise<readonly [status: number | null, stdout: string, stderr: string]> => {
    writeFileSync(`${directory}/tried.json`, typeof document === 'string' ? document : JSON.stringify(document));
    const { status, stdout, stderr } = await runToEnd({
      argv: ['gateway', 'tried.json', ...options],
      directory,
      environment,
    });
    return [status, stdout, withoutPlace(stderr)];
  };
  const causeOf = async (...start: Parameters<typeof startOf>): Promise<string> =>
    (await startOf(...start))[2].split('\n').slice(1).join('\n');
  const refusedWith = async (code: string, ...start: Parameters<typeof startOf>): Promise<void> => {
    const [status, stdout, stderr] = await startOf(...start);
    expect([status, stdout, firstLine(stderr)]).to.deep.equal([78, '', `{"error":"${code}"}\n`]);
  };

  it('is refused with the first code in the order of the documents', async () => {
    await refusedWith('config_invalid', '{');
    await refusedWith('duplicate_json_key', '{"version":1,"version":1}');
    await refusedWith('origin_invalid', {
      ...pinned(),
      listen: { ...Object(pinned()['listen']), allowed_origins: ['null'] },
    });
    await refusedWith('audit_invalid', tools({ allow_write: true }));
    await refusedWith('host_invalid', { ...pinned(), host: { path: 'absent.json' } });
  });

  it('is refused without a bearer that could be one, and never by a literal', async () => {
    const bearer = (binding: string): object => ({ ...pinned(), authentication: { bearer: { binding } } });
    await refusedWith('credential_unavailable', bearer('literal'));
    await refusedWith('credential_unavailable', bearer('unknown'));
    await refusedWith('credential_unavailable', pinned(), [], {});
    await refusedWith('credential_unavailable', pinned(), [], { GATEWAY_TOKEN: 'x'.repeat(31) });
    await refusedWith('credential_unavailable', pinned(), ['--env-file', 'absent.env']);
  });

  it('is refused where a tool is not what was accepted', async () => {
    const other = `sha256:${'f'.repeat(64)}`;
    await refusedWith('application_content_digest_mismatch', tools({ expected_application_content_digest: other }));
    await refusedWith('installation_pin_mismatch', tools({ installation_config_pins: { a: other } }));
    await refusedWith('provider_pin_mismatch', tools({ provider_snapshot_pins: { 'workflow/a': other } }));
    await refusedWith('template_invalid', tools({ application: { manifest: 'absent.json' } }));
  });

  it('is refused over a member of the document, with the member and its rule below the code', async () => {
    const admission = (change: object): object => ({
      ...pinned(),
      admission: { ...Object(pinned()['admission']), ...change },
    });
    expect(await causeOf(admission({ max_concurrent_runs: 0 }))).to.match(
      /^tried\.json: minimum at \/admission\/max_concurrent_runs \(bound: 1\): write an integer from 1 to 65535\n$/,
    );
    expect(await causeOf(admission({ max_concurrent_runs: undefined }))).to.match(
      /^tried\.json: required at \/admission\/max_concurrent_runs: add "max_concurrent_runs": an integer [^\n]+\n$/,
    );
    expect(await causeOf(admission({ [TOKEN]: 1 }))).to.match(
      /^tried\.json: unknown_property at \/admission \(allowed: max_inflight_requests, /,
    );
    expect(await causeOf({ ...pinned(), host: { path: 'absent.json' } })).to.match(/^host_unavailable \(/);
    expect(await causeOf('{')).to.equal(
      'tried.json: syntax (its syntax is broken): the document ends too early: a quotation mark, a brace or a bracket is not closed\n',
    );
    expect(await causeOf(pinned(), [], {})).to.equal(
      'tried.json: bearer_missing at /authentication/bearer/binding (its variable or file has no value)\n',
    );
    expect(await causeOf(tools({ application: { manifest: 'absent.json' } }))).to.match(
      /^tool echo: application_not_found \(/,
    );
    expect(await causeOf(admission({ max_concurrent_runs: 0 }), ['--check'])).to.match(
      /^tried\.json: minimum at \/admission\/max_concurrent_runs \(bound: 1\): /,
    );
  });

  it('is refused over a name that is mistyped, with the nearest one', async () => {
    const other = `sha256:${'f'.repeat(64)}`;
    const bearer = { ...pinned(), authentication: { bearer: { binding: 'gatewy' } } };
    expect(await causeOf(bearer)).to.match(/^tried\.json: credential_undeclared at [^\n]*: did you mean gateway\?\n$/);
    expect(await causeOf(tools({ installation_config_pins: { a: other } }))).to.match(
      /^tried\.json: tool echo: installation_differs at \/tools\/0\/installation_config_pins: the application has no a; remove it, or run svc gateway with --write-pins/,
    );
    writeFileSync(`${directory}/mistyped.json`, JSON.stringify(pinned()));
    const { stderr, status } = await runToEnd({
      argv: ['gateway', 'mistypd.json'],
      directory,
      environment: ENVIRONMENT,
    });
    expect([status, stderr]).to.deep.equal([
      78,
      '{"error":"config_unavailable"}\nthe gateway file does not exist; give the path of a gateway file, for example: svc gateway gateway.json; did you mean mistyped.json?\n',
    ]);
  });

  const artifacts = (root: string): object => ({ ...pinned(), artifacts: { root, trace: true } });
  it("is refused over a directory of artifacts that is not the gateway's own, whether it is started or checked", async () => {
    mkdirSync(`${directory}/own`, { mode: 0o700 });
    symlinkSync('own', `${directory}/link`);
    mkdirSync(`${directory}/open`, { mode: 0o755 });
    mkdirSync(`${directory}/child`, { mode: 0o700 });
    mkdirSync(`${directory}/child/traces`, { mode: 0o755 });
    writeFileSync(`${directory}/file`, '');
    for (const [root, cause] of [
      ['link', 'tried.json: not_a_directory at /artifacts/root (it is not a directory)\n'],
      ['file', 'tried.json: not_a_directory at /artifacts/root (it is not a directory)\n'],
      ['open', 'tried.json: mode at /artifacts/root (others may use it; run chmod 700 on it)\n'],
      ['child', 'tried.json: mode at /artifacts/root (directory traces: others may use it; run chmod 700 on it)\n'],
      [
        'absent/below',
        'tried.json: parent_unusable at /artifacts/root (the directory that it is in is not there, or others may change it)\n',
      ],
    ] as const) {
      for (const options of [[], ['--check']]) {
        await refusedWith('artifact_root_unavailable', artifacts(root), options);
        expect(await causeOf(artifacts(root), options), root).to.equal(cause);
      }
    }
    expect(readdirSync(`${directory}/own`), 'nothing was made behind the link').to.deep.equal([]);
  });

  it('makes a directory of artifacts that is missing, and does not by being checked', async () => {
    expect(await startOf(artifacts('new'), ['--check'], {})).to.deep.equal([0, '', '']);
    expect(existsSync(`${directory}/new`)).to.equal(false);
    // Refused later, so that it ends.
    await refusedWith('credential_unavailable', artifacts('new'), [], {});
    expect(readdirSync(`${directory}/new`).toSorted()).to.deep.equal(['envelopes', 'inspection', 'results', 'traces']);
    expect(statSync(`${directory}/new`).mode & 0o777).to.equal(0o700);
    await refusedWith('credential_unavailable', { ...pinned(), artifacts: { root: 'unused' } }, [], {});
    expect(existsSync(`${directory}/unused`), 'no call leaves anything').to.equal(false);
  });

  it('is refused by an address that is taken', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => {
      holder.listen(0, '127.0.0.1', resolve);
    });
    const at = holder.address();
    await refusedWith('listener_unavailable', {
      ...pinned(),
      listen: { ...Object(pinned()['listen']), port: typeof at === 'object' && at !== null ? at.port : 0 },
    });
    await new Promise<void>((resolve) => {
      holder.close(() => {
        resolve();
      });
    });
  });

  for (const [what, change] of [
    ['has no contract', { contracts: {} }],
    ['keeps its events private', { events: { policy: 'private' } }],
    ['names all its runs alike', { events: { policy: 'normal', run_id: 'x' } }],
  ] as const) {
    it(`is refused by an application that ${what}`, async () => {
      const manifest: Document = JSON.parse(readFileSync(`${directory}/echo/svc.json`, 'utf8'));
      mkdirSync(`${directory}/changed`, { recursive: true });
      for (const file of ['main.clj', 'input.json', 'result.json'])
        writeFileSync(`${directory}/changed/${file}`, readFileSync(`${directory}/echo/${file}`));
      writeFileSync(`${directory}/changed/svc.json`, JSON.stringify({ ...manifest, ...change }));
      await refusedWith('template_invalid', tools({ application: { manifest: 'changed/svc.json' } }));
    });
  }

  it("is only tried by --check, which tells every tool's fault and needs no bearer", async () => {
    expect(await startOf(pinned(), ['--check'], {})).to.deep.equal([0, '', '']);
    const cause = (tool: string): string =>
      `tried.json: tool ${tool}: content_differs at /tools/${Object.keys(TOOLS).indexOf(tool)}/expected_application_content_digest: look at what changed in the application, then run svc gateway with --write-pins to write all pins again\n`;
    const fault = (tool: string): string =>
      `{"error":"application_content_digest_mismatch","tool":"${tool}"}\n${cause(tool)}`;
    expect(
      await startOf(tools({ expected_application_content_digest: `sha256:${'f'.repeat(64)}` }), ['--check'], {}),
    ).to.deep.equal([78, '', `${fault('echo')}${fault('other')}`]);
  });

  it('prints the pins that a document needs, all of them or none', async () => {
    const [status, stdout] = await startOf(
      tools({ expected_application_content_digest: `sha256:${'f'.repeat(64)}` }),
      ['--print-pins'],
      {},
    );
    expect(status).to.equal(0);
    expect(Object.keys(JSON.parse(stdout))).to.deep.equal(['echo', 'other']);
    expect(
      (await startOf({ ...tools({}), artifacts: { root: 'absent' } }, ['--print-pins'], {}))[0],
      'artifacts are not touched',
    ).to.equal(0);
    await refusedWith('template_invalid', tools({ application: { manifest: 'absent.json' } }), ['--print-pins']);
  });

  it('prints the pins of a document that has none, which starts with none else', async () => {
    const absent = {
      expected_application_content_digest: undefined,
      installation_config_pins: undefined,
      provider_snapshot_pins: undefined,
    };
    const [status, stdout, stderr] = await startOf(tools(absent), ['--print-pins'], {});
    expect([status, stderr]).to.deep.equal([0, '']);
    const pins = JSON.parse(stdout);
    const completed = {
      ...pinned(),
      tools: [pinned()['tools']].flat().map((tool) => ({ ...Object(tool), ...absent, ...pins[Object(tool).name] })),
    };
    expect(completed).to.deep.equal(pinned());
    for (const options of [[], ['--check']]) await refusedWith('config_invalid', tools(absent), options);
    expect(await causeOf(tools(absent))).to.match(
      /^tried\.json: required at \/tools\/0\/expected_application_content_digest: add "expected_application_content_digest": [^\n]+\n$/,
    );
  });
});

describe('the end of a gateway (gateway.md §1)', () => {
  const ENDLESS = {
    endless: {
      program: '(ns main)\n(defn run [_] (loop [n 0] (recur (inc n))))\n',
      manifest: { limits: { run_duration_ms: 600_000 } },
    },
  };

  it('does not come with SIGHUP, and comes clean with SIGTERM', async () => {
    const gateway = await startTestGateway({ tools: TOOLS });
    gateway.child.kill('SIGHUP');
    expect((await fetch(gateway.url, modern('tools/list'))).status).to.equal(200);
    expect(await gateway.stop()).to.deep.include({ status: 0, stderr: '' });
  });

  it('is told to a call that does not end in time, and then is not clean', async () => {
    const gateway = await startTestGateway({ tools: ENDLESS });
    const called = await fetch(gateway.url, modern('tools/call', { name: 'endless', arguments: {} }));
    const [end, messages] = await Promise.all([gateway.stop(), messagesOf(called)]);
    expect(end.status).to.equal(70);
    expect(messages.at(-1)).to.have.nested.property(
      'result.content[0].text',
      'cancelled: the gateway was stopped before the run had ended',
    );
  });

  it('comes at once with a second signal', async () => {
    const gateway = await startTestGateway({ tools: ENDLESS });
    const called = await fetch(gateway.url, modern('tools/call', { name: 'endless', arguments: {} }));
    gateway.child.kill('SIGINT');
    expect((await gateway.stop()).status).to.equal(70);
    await called.text().catch(() => null);
  });

  it('leaves the bearer in nothing that it wrote', async () => {
    const gateway = await startTestGateway({ tools: TOOLS });
    const answer = await (
      await fetch(gateway.url, modern('tools/call', { name: 'echo', arguments: { value: 'x' } }))
    ).text();
    const { stdout, stderr } = await gateway.stop();
    expect(`${answer}${stdout}${stderr}`).not.to.include(TOKEN);
    expect(existsSync(gateway.directory)).to.equal(false);
  });
});
