/** The image of the gateway example, as far as it can be made without a builder: its instructions in turn. */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runToEnd, start } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';
import { until } from '../../../conformance/until.ts';
import { ENVIRONMENT, freePort } from './gateway.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/gateway');
const ROOT = join(import.meta.dirname, '../../..');

/** Instructions of a file for images, each with its words. */
function instructionsOf(text: string): readonly (readonly [name: string, words: string])[] {
  return text.split('\n').flatMap((line) => {
    const [, name, words] = /^([A-Z]+) (.+)$/u.exec(line) ?? [];
    return name === undefined || words === undefined ? [] : [[name, words] as const];
  });
}

describe('the image of the gateway example', () => {
  const instructions = instructionsOf(readFileSync(join(EXAMPLE, 'Dockerfile'), 'utf8'));
  const all = (wanted: string): readonly string[] =>
    instructions.flatMap(([name, words]) => (name === wanted ? [words] : []));
  const listOf = (wanted: string): readonly string[] => {
    const [words = '[]'] = all(wanted);
    const list: unknown = JSON.parse(words);
    return Array.isArray(list) ? list.map(String) : [];
  };
  const healthCommand = (): readonly string[] => {
    const list: unknown = JSON.parse(/CMD (\[.*\])$/u.exec(all('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]');
    return Array.isArray(list) ? list.map(String) : [];
  };
  let directory: string;
  beforeEach(() => {
    directory = makeWorkDirectory();
  });
  afterEach(() => {
    removeWorkDirectory(directory);
  });

  /** What the image holds of the example: the sources of COPY, at their targets. */
  async function copied(): Promise<number> {
    for (const words of all('COPY')) {
      const names = words.split(' ').filter((one) => !one.startsWith('--'));
      const target = names.pop() ?? '';
      for (const name of names.filter((one) => !one.endsWith('.tgz')))
        cpSync(join(EXAMPLE, name), join(directory, target, name.endsWith('/') ? '' : name), { recursive: true });
    }
    const port = await freePort();
    const path = join(directory, 'gateway.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"port": \d+/u, `"port": ${String(port)}`));
    return port;
  }

  it('copies what is there, and the tarball by the name that npm pack gives it', () => {
    const sources = all('COPY').flatMap((words) =>
      words
        .split(' ')
        .filter((one) => !one.startsWith('--'))
        .slice(0, -1),
    );
    const { name, version } = Object(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
    const tarball = `${String(name).replace('@', '').replace('/', '-')}-${String(version)}.tgz`;
    for (const source of sources) {
      if (source.endsWith('.tgz')) expect(tarball).to.match(RegExp(`^${source.replace('*', '.*')}$`, 'u'));
      else expect(existsSync(join(EXAMPLE, source)), source).to.equal(true);
    }
    expect(sources).to.include('gateway.json');
  });

  it('ends with a user who is not root, behind every step that installs', () => {
    const names = instructions.map(([name]) => name);
    expect(all('USER').at(-1)).to.match(/^(?!root$|0$)\w+$/u);
    expect(names.lastIndexOf('USER')).to.be.greaterThan(names.lastIndexOf('RUN'));
  });

  it("gives what it copies to the user who reads it: documents may be their owner's alone", () => {
    const [user] = all('USER');
    const copies = all('COPY').filter((words) => !words.includes('.tgz'));
    for (const words of copies) expect(words).to.match(RegExp(`^--chown=${String(user)}:`, 'u'));
    expect(copies).to.have.length(3);
  });

  it('checks its pins while it is built, with what it has copied', async () => {
    await copied();
    const check = all('RUN').find((words) => words.startsWith('svc gateway'));
    const [, ...argv] = check?.split(' ') ?? [];
    expect(argv).to.include('--check');
    expect(await runToEnd({ argv, directory })).to.deep.include({ status: 0, stderr: '' });
  });

  it('serves with its entry point and its command, and answers the probes', async () => {
    const port = await copied();
    const [program, ...argv] = [...listOf('ENTRYPOINT'), ...listOf('CMD')];
    expect(program).to.equal('svc');
    const { child, ended } = start({ argv, directory, environment: ENVIRONMENT });
    try {
      let text = '';
      child.stdout?.on('data', (chunk: string) => {
        text += chunk;
      });
      await until('a gateway that is ready', () => text.includes('"ready":true') || undefined);
      for (const probe of ['live', 'ready'])
        expect((await fetch(`http://127.0.0.1:${String(port)}/health/${probe}`)).status, probe).to.equal(200);
      const [, ...healthy] = healthCommand().map((word) => word.replace('8321', String(port)));
      expect(await runToEnd({ program: process.execPath, argv: healthy, directory })).to.include({ status: 0 });
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).to.deep.include({ status: 0, stderr: '' });
  });
});
