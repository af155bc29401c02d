/** Answers of servers at the bounds of what they may have, and values as large (code-mode.md §5, §7). */
import { expect } from 'chai';
import { until } from '../../../conformance/until.ts';
import { Client, textOf } from './client.ts';
import { Folder, toolServer } from './folder.ts';

const MIB_4 = 4_194_304;
/** `capability_result_bytes`, and a line of a server (providers.md §7). */
const [RESULT_BYTES, LINE_BYTES] = [1_000_000, 2_097_152];
/** Characters of a text that a session without a project has room for. */
const STORED = 2_000_000;
/** What a line of `big` has around its text, and what the value of its result has. */
const valueOf = (text: string): string => JSON.stringify({ text: [text] });

describe('svc code, large answers', () => {
  const folder = new Folder();

  async function started(servers: readonly string[]): Promise<Client> {
    const names = folder.write('names.json', JSON.stringify(['big', 'echo']));
    const file = folder.imports(Object.fromEntries(servers.map((name) => [name, toolServer(['--names', names])])));
    const client = new Client(folder.path, ['--import', file, '--approvals', 'off']);
    for (const name of servers)
      await until(`${name} is there`, async () =>
        textOf(await client.tool('describe', { names: [`${name}.echo`] })).includes('"unknown":true')
          ? undefined
          : true,
      );
    return client;
  }

  const value = ({ structuredContent }: Readonly<Record<string, unknown>>): unknown => Object(structuredContent).value;
  const big = (server: string, bytes: number): string => `(tool/${server}.big {:text "${bytes}"})`;

  /** Characters of the text of an answer of so many bytes; else why there is none. */
  const counted = (server: string, bytes: number): string =>
    `(let [r ${big(server, bytes)}] (if (= "ok" (name (:status r))) (count (get-in r [:value "text" 0])) (:details r)))`;

  it('of a server come whole up to the bound of a result, and beyond it are an error of their call', async () => {
    const client = await started(['hub']);
    const around = Number(value(await client.run(`(- 1000 (count (get-in ${big('hub', 1000)} [:value "text" 0])))`)));
    // A result counts as the value that the program is given.
    const largest = RESULT_BYTES - valueOf('').length + around;
    expect(value(await client.run(counted('hub', largest)))).to.equal(largest - around);
    for (const bytes of [largest + 1, LINE_BYTES])
      expect(value(await client.run(counted('hub', bytes))), `${bytes}`).to.equal('mcp_response_exceeded');
    expect(value(await client.run('(:status (tool/hub.echo {}))'))).to.equal('ok');
    expect(await client.end()).to.equal(0);
  });

  it('of a server that are longer than a line may be end it alone, and it is started again', async () => {
    const sizes = { line: LINE_BYTES + 1, under: MIB_4 - 1, exactly: MIB_4, over: MIB_4 + 1 };
    const client = await started([...Object.keys(sizes), 'other']);
    await client.run('(def kept 7)');
    for (const [name, bytes] of Object.entries(sizes))
      expect(value(await client.run(counted(name, bytes))), name).to.equal('mcp_response_exceeded');
    expect(value(await client.run('[kept (:status (tool/other.echo {}))]'))).to.deep.equal([7, 'ok']);
    for (const name of Object.keys(sizes))
      await until(`${name} is there again`, async () =>
        value(await client.run(`(:status (tool/${name}.echo {}))`)) === 'ok' ? true : undefined,
      );
    expect(await client.end()).to.equal(0);
  });

  it('a value is cut, and whole as *1; one that a session has no room for fails its program, and spoils nothing', async () => {
    const client = new Client(folder.path, []);
    const cut = await client.run(`(apply str (repeat ${STORED / 2} "xy"))`);
    expect(cut).to.have.nested.property('structuredContent.value', null);
    expect(cut).to.have.deep.nested.property('structuredContent.cut.characters[1]', STORED);
    expect(value(await client.run('(count *1)'))).to.equal(STORED);
    await client.run('(defn grow [n] (loop [i 0 s "x"] (if (< i n) (recur (inc i) (str s s)) s)))');
    for (const program of ['(subs (grow 23) 1)', '(grow 23)', '(str (grow 23) "y")']) {
      expect(textOf(await client.run(program)), program)
        .to.match(/^memory_exceeded: /)
        .and.include('remedy: ');
      expect(value(await client.run('(count (grow 3))')), program).to.equal(8);
    }
    expect(value(await client.run('(count (grow 23))'))).to.equal(2 * MIB_4);
    expect(await client.end()).to.equal(0);
  });
});
