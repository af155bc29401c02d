import { readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { runToEnd } from '../cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { BRIDGE } from './bridge-program.ts';
import { runTools } from './room.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/guides/connecting-tools-with-mcp.md'), 'utf8');
/** Files of the page: a name at the beginning of a line, and the next block. */
const FILES = Object.fromEntries(
  [...PAGE.matchAll(/^`([a-z.-]+)`: [^\n]+\n\n```[a-z ]+\n([^]*?)```/gm)].map(([, name = '', text = '']) => [
    name,
    text,
  ]),
);
/** Host documents that stand there without a name: of servers over HTTP. */
const OVER_HTTP = [...PAGE.matchAll(/```json\n([^]*?)```/g)]
  .map(([, text = '']) => text)
  .filter((text) => text.includes('streamable_http'));
/** Those of its blocks that a person types; with a remark behind them they are for servers that there are not. */
const COMMANDS = [...PAGE.matchAll(/^```sh\n([^]*?)^```$/gm)]
  .flatMap(([, block = '']) => [...block.matchAll(/^svc ([^\n#]+)$/gm)])
  .map(([, line = '']) => line.split(' '));

describe('the page about tools', () => {
  let directory = '';
  before(() => {
    directory = realpathSync(makeWorkDirectory(FILES, { 'notes/today.txt': 'water the plants\n' }));
  });
  after(() => removeWorkDirectory(directory));

  it('has its files and its commands', () => {
    expect(Object.keys(FILES)).to.deep.equal(['svc-host.json', 'svc.json', 'main.clj']);
    expect(COMMANDS.map(([command]) => command)).to.deep.equal(['catalog', 'doctor', 'run']);
  });

  for (const argv of COMMANDS) {
    it(argv.join(' '), async () => {
      // As the page has it: programs of the packages of a folder are on the path.
      const path = [
        dirname(BRIDGE),
        join(ROOT, 'node_modules/.bin'),
        dirname(process.execPath),
        process.env['PATH'] ?? '',
      ].join(delimiter);
      const ended = await runToEnd({ argv, directory, environment: { PATH: path } });
      expect([ended.status, ended.stderr]).to.deep.equal([0, '']);
      if (argv[0] === 'run') expect(PAGE).to.include(`\`${ended.stdout.trim()}\``);
    });
  }

  it('has host documents of servers over HTTP that are valid', async () => {
    expect(OVER_HTTP.map((text) => /"(auth|oauth)":/.exec(text)?.[1])).to.deep.equal(['auth', 'oauth']);
    for (const text of OVER_HTTP) {
      const { credentials = {}, install } = JSON.parse(text);
      await runTools(
        { script: { steps: [] }, installation: install.desk, host: { credentials }, argv: ['validate', 'svc.json'] },
        ({ status, stderr }) => {
          expect([status, stderr]).to.deep.equal([0, '']);
        },
      );
    }
  });
});
