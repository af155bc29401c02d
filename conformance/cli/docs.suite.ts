import { expect } from 'chai';
import { validEnvelope } from './envelope-check.ts';
import { PROGRAM } from './program.ts';
import { runResident } from './resident/resident.ts';
import { makeWorkDirectory, removeWorkDirectory } from './work-directory.ts';
import { spawnSync } from 'node:child_process';

/** Of util-linux: gives a program a terminal. */
const TERMINAL = 'script';

/** cli.md §7: a person or a coding agent that holds only the program learns everything from it. */
/** cli.md §7, in the order of the index. */
const TITLES = {
  'agent-guide': 'Drive svc from a coding agent',
  quickstart: 'Quickstart',
  'getting-started': 'Quickstart',
  concepts: 'Concepts',
  'building-agents': 'Build an agent',
  'manifests-and-capabilities': 'Configure an application',
  'components-and-preludes': 'Components and libraries',
  'designing-agent-workflows': 'Design an agent workflow',
  'agent-workflow-patterns': 'Design an agent workflow',
  'using-models': 'Use a model',
  'host-configuration': 'Install models and tools',
  'project-configuration': 'Keep a project together',
  'connecting-tools-with-mcp': 'Connect an MCP tool',
  'serving-a-workflow-over-mcp': 'Serve a workflow over MCP',
  'running-and-debugging': 'Run and inspect',
  'self-improvement': 'Let a workflow improve itself',
  'evaluating-with-replay': 'Test an application',
  'kernel-repl': 'Explore interactively',
  'inspect-source': 'Source inspection',
  cli: 'Command reference',
  'svc-lisp': 'Language specification',
  functions: 'Function reference',
  preludes: 'Shipped libraries',
  'agent-library': 'Agent library',
  signatures: 'Signatures',
  'java-interop': 'Java-style interop',
  'conformance-gaps': 'Differences from Clojure',
  manifest: 'svc.json reference',
  components: 'Component reference',
  project: 'svc-project.json reference',
  examples: 'Examples',
  host: 'svc-host.json reference',
  mcp: 'MCP reference',
  gateway: 'Gateway reference',
  limits: 'Limits',
  viewer: 'Viewer HTTP API',
  repl: 'REPL reference',
  'source-inspection': 'Source inspection',
  debug: 'Debug navigation',
  traces: 'Trace contract',
  install: 'Install',
  'install-docker': 'Run svc in Docker and Kubernetes',
  'install-source': 'Install',
};

/** Names that mean a page which the list for people has once, under its first name. */
const OTHER_NAMES: ReadonlySet<string> = new Set([
  'getting-started',
  'agent-workflow-patterns',
  'evaluating-with-replay',
  'inspect-source',
  'install-docker',
  'install-source',
]);

describe('svc docs', () => {
  let directory: string;
  before(() => {
    directory = makeWorkDirectory({});
  });
  after(() => {
    removeWorkDirectory(directory);
  });

  const docs = async (...argv: readonly string[]) => runResident({ argv: ['docs', ...argv], directory });
  const json = async (...argv: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
    const { stdout } = await runResident({ argv: ['--json', 'docs', ...argv], directory });
    return Object(validEnvelope(stdout)['result']);
  };
  const listed = async (): Promise<
    readonly { readonly name: string; readonly title: string; readonly bytes: number }[]
  > => {
    const { pages } = await json();
    return Array.isArray(pages) ? pages : [];
  };

  it('lists its pages with their titles', async () => {
    const { status, stdout, stderr } = await docs();
    expect([status, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.match(/^ {2}quickstart +Quickstart$/m);
    for (const { name, title } of await listed()) {
      expect(stdout, name).to.include(title);
      if (!OTHER_NAMES.has(name)) expect(stdout).to.include(`\n  ${name} `);
    }
    expect(
      Object.fromEntries(
        (await listed()).filter(({ name }) => !name.startsWith('schema-')).map(({ name, title }) => [name, title]),
      ),
    ).to.deep.equal(TITLES);
  });

  it('lists its pages in four parts, with further ones that only people are shown (first-day.md §5)', async () => {
    const { stdout } = await docs();
    const lines = stdout.split('\n').filter((line) => line !== '');
    expect(lines.filter((line) => !line.startsWith(' '))).to.deep.equal(['start', 'guides', 'reference', 'why']);
    const known = new Set((await listed()).map(({ name }) => name));
    const further = lines
      .flatMap((line) => /^ {2}([a-z-]+) {2,}\S/.exec(line)?.[1] ?? [])
      .filter((name) => !known.has(name));
    expect(further).to.include.members(['embedding', 'telemetry', 'runners', 'decisions', 'testing', 'containers']);
    for (const name of further) {
      const { status, stdout: page } = await docs(name);
      expect([status, page.startsWith('# ')], name).to.deep.equal([0, true]);
    }
    const {
      status,
      stdout: envelope,
      stderr,
    } = await runResident({ argv: ['--json', 'docs', 'telemetry'], directory });
    expect(status).to.equal(2);
    expect(validEnvelope(envelope)['error']).to.have.property('code', 'docs_page_unknown');
    expect(stderr).to.include('write svc docs telemetry without --json');
  });

  it('finds words in any order, on further pages too, and words that begin with dashes (first-day.md §5)', async () => {
    const first = async (term: string): Promise<string> => (await docs(`--search=${term}`)).stdout.split('\n')[0] ?? '';
    expect(await first('collector OpenTelemetry')).to.match(/^telemetry:/);
    expect(await first('workflow improve itself')).to.match(/^self-improvement:1:/);
    expect(await first('--host-config')).to.include('--host-config');
    const inEnvelope = await json('--search', 'collector opentelemetry');
    expect(JSON.stringify(inEnvelope['matches'])).not.to.include('"telemetry"');
  });

  it('shows each page as it was built, with a title and as many bytes as the list says', async () => {
    for (const { name, title, bytes } of await listed()) {
      const { status, stdout } = await docs(name);
      expect([status, Buffer.byteLength(stdout)], name).to.deep.equal([0, bytes]);
      if (name.startsWith('schema-')) expect(JSON.parse(stdout), name).to.have.property('title', title);
      else expect(stdout.split('\n')[0], name).to.equal(`# ${title}`);
      expect(await json(name)).to.deep.equal({ page: name, content: stdout });
    }
  });

  it('leads from page to page by commands that work, and by no file', async () => {
    const pages = await listed();
    // Further ones among them.
    const names = new Set((await docs()).stdout.split('\n').map((row) => row.trim().split(' ')[0]));
    let links = 0;
    for (const { name } of pages.filter((page) => !page.name.startsWith('schema-'))) {
      const { stdout } = await docs(name);
      expect(stdout, name).not.to.match(/\]\([a-z-]+\.md/);
      for (const [, target = ''] of stdout.matchAll(/\(`svc docs ([a-z-]+)`\)/g)) {
        links += 1;
        expect(names, `${name} names ${target}`).to.include(target);
      }
    }
    expect(links).to.be.greaterThan(10);
  });

  it('finds a word, whatever its case, and says how much more there is', async () => {
    const { status, stdout } = await docs('--search', 'GREETS');
    expect(status).to.equal(0);
    expect(stdout).to.match(/^[a-z-]+:\d+: .*Greets the person/m);
    const many = await json('--search', 'the');
    expect(many).to.have.property('matches').with.length(30);
    expect(many['omitted_pages']).to.be.greaterThan(0);
    expect((await docs('--search', 'the')).stdout).to.match(/more lines, on \d+ more pages among others\n$/);
    expect(await json('--search=--search')).to.have.property('term', '--search');
  });

  it('finds nothing, and says what to try', async () => {
    const { status, stdout, stderr } = await docs('--search', 'no.such/xyzzy');
    expect([status, stdout, stderr]).to.deep.equal([
      0,
      '',
      'nothing found; try the part behind the last dot or slash\n',
    ]);
    expect(await json('--search', 'xyzzy')).to.deep.equal({
      term: 'xyzzy',
      matches: [],
      omitted_matches: 0,
      omitted_pages: 0,
    });
  });

  for (const [argv, code] of [
    [['limitz'], 'docs_page_unknown'],
    [['limits', '--search', 'x'], 'conflicting_arguments'],
    [['--search', ''], 'invalid_arguments'],
    [['--search', 'x'.repeat(129)], 'invalid_arguments'],
    [['limits', 'cli'], 'invalid_arguments'],
  ] as const) {
    it(`refuses ${argv.map((word) => word.slice(0, 8)).join(' ')} as ${code}`, async () => {
      const { status, stdout, stderr } = await docs(...argv);
      expect([status, stdout]).to.deep.equal([2, '']);
      expect(stderr).to.include(`arguments/${code}`);
    });
  }

  it('finds terms of 128 characters', async () => {
    expect(await docs('--search', 'x'.repeat(128))).to.include({ status: 0 });
  });

  it('shows a page in the pager of a terminal, in none for cat, and all of it where there is no such program', () => {
    const at = (pager: string): string =>
      spawnSync(TERMINAL, ['--quiet', '--return', '--command', `'${PROGRAM}' docs limits`, '/dev/null'], {
        cwd: directory,
        env: { PATH: process.env['PATH'], HOME: directory, TERM: 'xterm', SVC_PAGER: pager },
        encoding: 'utf8',
      }).stdout.replaceAll('\r', '');
    expect(at('sed -n 1p')).to.equal('# Limits\n');
    for (const pager of ['cat', '/no/such/pager']) expect(at(pager), pager).to.match(/# Limits\n[^]{2000}/);
  });
});
