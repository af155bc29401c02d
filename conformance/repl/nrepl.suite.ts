import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { start, type Started } from '../cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { describeWhere } from '../left-out.ts';
import { EditorClient } from './nrepl-client.ts';

interface Served extends Started {
  readonly port: number;
}

/** `svc repl --nrepl 0`, once it says where it is. */
async function serve(directory: string, ...options: readonly string[]): Promise<Served> {
  const started = start({
    argv: ['repl', '--nrepl', '0', ...options],
    directory,
    options: { stdio: ['ignore', 'pipe', 'pipe'] },
  });
  const port = await new Promise<number>((resolve) => {
    let seen = '';
    started.child.stdout?.on('data', (text: string) => {
      seen += text;
      const found = /^nREPL server started on port (\d+) on host 127\.0\.0\.1 - nrepl:\/\/127\.0\.0\.1:\1\n/.exec(seen);
      if (found !== null) resolve(Number(found[1]));
    });
    started.child.once('close', () => resolve(0));
  });
  return { ...started, port };
}

describe('repl --nrepl (first-day.md §6)', () => {
  let directory: string;
  let server: Served;
  let client: EditorClient;
  before(async () => {
    directory = makeWorkDirectory({ 'setup.clj': '(def given 7)' });
    server = await serve(directory, '--load', 'setup.clj');
  });
  after(async () => {
    server.child.kill('SIGTERM');
    expect((await server.ended).status).to.equal(143);
    removeWorkDirectory(directory);
  });
  beforeEach(async () => {
    client = await EditorClient.connect(server.port);
  });
  afterEach(() => client.close());

  it('describes its operations', async () => {
    const [description] = await client.ask({ op: 'describe' });
    expect(description).to.have.property('status').that.deep.equals(['done']);
    expect(Object.keys(Object(description?.['ops']))).to.include.members([
      'clone',
      'close',
      'completions',
      'describe',
      'eval',
      'interrupt',
      'load-file',
      'lookup',
      'ls-sessions',
    ]);
  });

  it('evaluates in sessions that know nothing of each other, and ends them', async () => {
    const [one, two] = [await client.clone(), await client.clone()];
    expect(await client.ask({ op: 'eval', session: one, code: '(println "hi") (def a 1) (+ given a)' })).to.deep.equal([
      { out: 'hi\n' },
      { ns: 'user', value: '8' },
      { status: ['done'] },
    ]);
    expect((await client.ask({ op: 'eval', session: one, code: '[a *1]' }))[0]).to.deep.equal({
      ns: 'user',
      value: '[1 8]',
    });
    const [reported, failed] = await client.ask({ op: 'eval', session: two, code: '\n a', file: 'src/x.clj' });
    expect(reported?.['err']).to.match(
      /^Error \(unbound_var\): Unable to resolve symbol: a\n {2}at src\/x\.clj:2:2\n$/,
    );
    expect(failed).to.deep.equal({ ex: 'unbound_var', 'root-ex': 'unbound_var', ns: 'user', status: ['eval-error'] });
    expect((await client.ask({ op: 'ls-sessions' }))[0]?.['sessions']).to.include.members([one, two]);
    for (const session of [one, two])
      expect(await client.ask({ op: 'close', session })).to.deep.equal([{ status: ['session-closed', 'done'] }]);
    expect((await client.ask({ op: 'eval', session: one, code: '1' })).at(-1)?.['status']).to.include(
      'unknown-session',
    );
  });

  it('evaluates without a session in one of the connection', async () => {
    await client.ask({ op: 'eval', code: '(def own 1)' });
    expect((await client.ask({ op: 'eval', code: 'own' }))[0]).to.include({ value: '1' });
    const other = await EditorClient.connect(server.port);
    expect((await other.ask({ op: 'eval', code: 'own' }))[0]).to.have.property('err');
    other.close();
  });

  it('says which namespace it is in', async () => {
    const session = await client.clone();
    await client.ask({ op: 'load-file', session, file: '(ns my.app)\n(defn f [] 1)', 'file-path': 'src/my/app.clj' });
    expect((await client.ask({ op: 'eval', session, code: '[(f) ::k]' }))[0]).to.deep.equal({
      ns: 'my.app',
      value: '[1 :my.app/k]',
    });
    expect((await client.ask({ op: 'eval', session, code: '(f 2)' })).at(-2)).to.include({ ns: 'my.app' });
    expect((await client.ask({ op: 'eval', session, code: '(ns user)' }))[0]).to.include({ ns: 'user' });
  });

  it('loads files, and keeps what they require', async () => {
    const session = await client.clone();
    const file = `(require '[clojure.string :as s])\n(defn shout "Louder." [x] (s/upper-case x))\n(shout nil)`;
    const [reported] = await client.ask({ op: 'load-file', session, file, 'file-path': 'src/my/app.clj' });
    expect(reported?.['err']).to.include('at src/my/app.clj:');
    await client.ask({ op: 'load-file', session, file: file.replace('nil', '"a"'), 'file-path': 'src/my/app.clj' });
    expect(await client.ask({ op: 'eval', session, code: '[(shout "b") (s/lower-case "C")]' })).to.deep.equal([
      { ns: 'user', value: '["B" "c"]' },
      { status: ['done'] },
    ]);
    expect((await client.ask({ op: 'info', session, sym: 'shout' }))[0]).to.include({
      name: 'shout',
      'arglists-str': '[x]',
      doc: 'Louder.',
    });
    expect((await client.ask({ op: 'completions', session, prefix: 's/upper' }))[0]?.['completions']).to.deep.equal([
      { candidate: 's/upper-case' },
    ]);
    // Nothing that was looked up is a form.
    expect((await client.ask({ op: 'eval', session, code: '*1' }))[0]).to.include({ value: '["B" "c"]' });
  });

  it('tells about names', async () => {
    const session = await client.clone();
    const [found] = await client.ask({ op: 'lookup', session, sym: 'map' });
    expect(found?.['info']).to.include({ ns: 'clojure.core', name: 'map' });
    expect((await client.ask({ op: 'eldoc', session, sym: 'filter' }))[0]?.['eldoc']).to.deep.include(['pred', 'coll']);
    for (const sym of ['no-such', 'a) (println 1', '1', ''])
      expect((await client.ask({ op: 'lookup', session, sym })).at(-1)?.['status']).to.include('lookup-error');
    expect((await client.ask({ op: 'complete', session, prefix: 'giv' }))[0]?.['completions']).to.deep.equal([
      { candidate: 'given' },
    ]);
  });

  it('interrupts an evaluation, and what waits goes on', async () => {
    const session = await client.clone();
    expect(await client.ask({ op: 'interrupt', session })).to.deep.equal([{ status: ['session-idle', 'done'] }]);
    await client.ask({ op: 'eval', session, code: '(def kept 5)' });
    const endless = client.ask({ op: 'eval', session, code: '(loop [] (recur))' }, 'endless');
    const waiting = client.ask({ op: 'eval', session, code: 'kept' });
    // It may not have begun.
    let idle = true;
    while (idle) {
      const [other] = await client.ask({ op: 'interrupt', session, 'interrupt-id': 'another' });
      idle = JSON.stringify(other).includes('session-idle');
    }
    expect(await client.ask({ op: 'interrupt', session, 'interrupt-id': 'endless' })).to.deep.equal([
      { status: ['done'] },
    ]);
    expect((await endless).at(-1)?.['status']).to.have.members(['done', 'interrupted']);
    expect((await waiting)[0]).to.include({ value: '5' });
  });

  it('shows by its number what a terminal would act upon', async () => {
    expect(await client.ask({ op: 'eval', code: '(println (char 27)) (str (char 0x9b))' })).to.deep.include.members([
      { out: '⟨U+001B⟩\n' },
      { ns: 'user', value: '"⟨U+009B⟩"' },
    ]);
  });

  it('answers what it does not know, and bounds sessions', async () => {
    expect((await client.ask({ op: 'stdin', stdin: 'x' }))[0]?.['status']).to.deep.equal([
      'error',
      'unknown-op',
      'done',
    ]);
    expect((await client.ask({ op: 'constructor' }))[0]?.['status']).to.include('unknown-op');
    expect((await client.ask({ op: 'eval' }))[0]?.['status']).to.deep.equal(['error', 'no-code', 'done']);
    const opened: string[] = [];
    for (let nth = 0; nth < 20; nth += 1) {
      const [answer] = await client.ask({ op: 'clone' });
      if (typeof answer?.['new-session'] === 'string') opened.push(answer['new-session']);
      else expect(answer?.['status']).to.include('too-many-sessions');
    }
    expect(opened.length).to.be.within(1, 16);
    for (const session of opened) await client.ask({ op: 'close', session });
  });

  it('ends a connection that speaks another language, evaluates nothing of it, and serves on', async () => {
    for (const bytes of [
      'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nd2:op4:eval4:code11:(def evil 1)e',
      'd2:op99999999:x',
      `d1:a${'l'.repeat(500)}`,
    ])
      expect(await answerTo(server.port, bytes)).to.equal('');
    expect((await client.ask({ op: 'eval', code: '(+ 1 1)' }))[0]).to.include({ value: '2' });
  });
});

/** What comes back before the connection ends. */
async function answerTo(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1', () => void socket.write(bytes));
    let seen = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      seen += text;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(seen));
  });
}

describe('repl --nrepl that cannot serve', () => {
  it('says that its port is taken, and that a setup failed', async () => {
    const directory = makeWorkDirectory({ 'bad.clj': '(/ 1 0)' });
    const first = await serve(directory);
    const second = start({ argv: ['repl', '--nrepl', String(first.port)], directory });
    const { status, stderr } = await second.ended;
    expect(stderr).to.match(/^error: repl\/nrepl_port_in_use: port \d+ of 127\.0\.0\.1 /);
    expect(status).to.equal(1);
    first.child.kill('SIGTERM');
    await first.ended;
    const failed = await start({ argv: ['repl', '--nrepl', '0', '--load', 'bad.clj'], directory }).ended;
    expect(failed.stderr).to.include('Error (arithmetic_error)');
    expect(failed.status).to.equal(1);
    for (const other of [['-e', '1'], ['s.clj'], ['--trace', 't.jsonl'], ['--private-terminal']])
      expect((await start({ argv: ['repl', '--nrepl', '0', ...other], directory }).ended).status).to.equal(2);
    removeWorkDirectory(directory);
  });
});

/** Jars of the Debian package libnrepl-clojure, and of those that it needs. */
const JARS = ['clojure.jar', 'spec.alpha.jar', 'core.specs.alpha.jar', 'nrepl.jar'].map(
  (name) => `${process.env['SVC_CLOJURE_JARS'] ?? '/usr/share/java'}/${name}`,
);
const CLIENT = {
  isMet: JARS.every((jar) => existsSync(jar)),
  what: 'a client of nREPL (Debian packages libnrepl-clojure and default-jre-headless)',
};

describeWhere(CLIENT, 'repl --nrepl with the client of nREPL itself', () => {
  it('clones, evaluates, prints, completes, looks up and interrupts', async () => {
    const directory = makeWorkDirectory();
    const server = await serve(directory);
    const program = `(require '[nrepl.core :as nrepl])
      (with-open [connection (nrepl/connect :port ${server.port})]
        (let [session (nrepl/client-session (nrepl/client connection 60000))
              ask (fn [message] (nrepl/combine-responses (nrepl/message session message)))]
          (prn (select-keys (ask {:op "eval" :code "(println 1) (def a 41)"}) [:out :value]))
          (prn (nrepl/response-values (nrepl/message session {:op "eval" :code "(inc a)"})))
          (prn (:completions (ask {:op "completions" :prefix "clojure.string/upp"})))
          (prn (:name (:info (ask {:op "lookup" :sym "map"}))))
          (let [endless (future (ask {:op "eval" :id "e" :code "(loop [] (recur))"}))]
            (while (contains? (:status (ask {:op "interrupt" :interrupt-id "e"})) "session-idle"))
            (prn (:status @endless)))))
      (shutdown-agents)`;
    const { stdout } = await promisify(execFile)('java', ['-cp', JARS.join(':'), 'clojure.main', '-e', program]);
    expect(stdout.split('\n')).to.include.members([
      '{:out "1\\n", :value ["#\'user/a"]}',
      '[42]',
      '[{:candidate "clojure.string/upper-case"}]',
      '"map"',
    ]);
    expect(stdout).to.match(/#\{[^}]*"interrupted"/);
    server.child.kill('SIGTERM');
    await server.ended;
    removeWorkDirectory(directory);
  });
});
