import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { expect } from 'chai';
import { descendantsOf, signalAll } from '../cli/descendants.ts';
import { PROGRAM, start } from '../cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { replAtTerminal } from './repl-program.ts';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** Types each text once the answer to the one before has shown up behind what was seen until then. */
async function type(child: ChildProcess, steps: readonly (readonly [awaited: string, typed: string])[]): Promise<void> {
  let seen = '';
  const waiting = [...steps];
  return new Promise((done) => {
    const advance = (): void => {
      for (let step = waiting[0]; step !== undefined && seen.includes(step[0]); step = waiting[0]) {
        seen = seen.slice(seen.indexOf(step[0]) + step[0].length);
        waiting.shift();
        child.stdin?.write(step[1]);
      }
      if (waiting.length === 0) done();
    };
    child.stdout?.on('data', (text: string) => {
      seen += text;
      advance();
    });
    child.once('close', () => done());
  });
}

describe('repl at a terminal', () => {
  let directory: string;
  beforeEach(() => {
    directory = makeWorkDirectory();
  });
  afterEach(() => removeWorkDirectory(directory));

  async function session(
    ...steps: readonly (readonly [awaited: string, typed: string])[]
  ): Promise<{ status: number | null; stdout: string }> {
    const { child, ended } = replAtTerminal(
      directory,
      { XDG_CACHE_HOME: directory, TERM: 'xterm', NO_COLOR: '1' },
      PROGRAM,
    );
    await type(child, steps);
    child.stdin?.end();
    return ended;
  }

  it('greets, evaluates, and ends with Ctrl+D on an empty line', async () => {
    const { status, stdout } = await session(['svc> ', '(+ 1 2)\r'], ['\n3', ''], ['svc> ', CTRL_D]);
    expect(stdout).to.include('scratch').and.include('apropos');
    expect(status).to.equal(0);
  });

  it('gives up a form with Ctrl+C', async () => {
    const { status, stdout } = await session(
      ['svc> ', '(+ 1\r'],
      ['...> ', CTRL_C],
      ['svc> ', '(* 6 7)\r'],
      ['\n42', ''],
      ['svc> ', ':quit\r'],
    );
    expect(stdout).not.to.include('Error');
    expect(status).to.equal(0);
  });

  it('gives up an evaluation with Ctrl+C, and goes on', async () => {
    const { status, stdout } = await session(
      ['svc> ', '(println (loop [] (recur)))\r'],
      ['recur)))', CTRL_C],
      ['Error (interrupted)', ''],
      ['svc> ', '(* 6 7)\r'],
      ['\n42', ''],
      ['svc> ', ':quit\r'],
    );
    expect(stdout).to.include('Error (interrupted)');
    expect(status).to.equal(0);
  });

  it('completes names, and what a definition made a name', async () => {
    const { stdout, status } = await session(
      // A tab within other text is one of a paste.
      ['svc> ', '(clojure.string/capi'],
      ['capi', '\t'],
      ['talize', ' "ab")\r'],
      ['"Ab"', ''],
      ['svc> ', '(def some-long-name 42)\r'],
      ["#'user/some-long-name", ''],
      ['svc> ', 'some-l'],
      ['some-l', '\t'],
      ['ong-name', '\r'],
      ['42', ''],
      ['svc> ', ':qu'],
      [':qu', '\t'],
      ['it', '\r'],
    );
    expect(stdout).to.include('some-long-name');
    expect(status).to.equal(0);
  });

  it('takes a paste as one text, tabs and line ends as they are, until it is entered', async () => {
    const { stdout, status } = await session(
      ['\u001b[?2004h', ''],
      ['svc> ', `\u001b[200~(defn f [x]\r\t(inc x))\r(f\t41)\u001b[201~`],
      ['(f', '\r'],
      ['42', ''],
      ['svc> ', ':quit\r'],
      ['\u001b[?2004l', ''],
    );
    expect(stdout).not.to.include("#'user/f");
    expect(status).to.equal(0);
  });

  it('forgets a paste that is given up', async () => {
    const { stdout, status } = await session(
      ['svc> ', `\u001b[200~(def a 1)\r(def b\u001b[201~`],
      ['(def b', CTRL_C],
      ['svc> ', '[a]\r'],
      ['unbound_var', ''],
      ['svc> ', ':quit\r'],
    );
    expect(stdout).to.include('Unable to resolve symbol: a');
    expect(status).to.equal(0);
  });

  it('takes a paste of one form of 200 lines, and one of 200 forms', async () => {
    const numbers = Array.from({ length: 198 }, (_, index) => String(index + 1));
    const pasted = (text: string): string => `\u001b[200~${text}\u001b[201~`;
    const form = ['(reduce + [', ...numbers, '])'].join('\r');
    const forms = ['(def total (atom 0))', ...numbers.map((number) => `(swap! total + ${number})`), '[:sum @total]'];
    const { stdout, status } = await session(
      ['svc> ', `${pasted(form)}\r`],
      ['\n19701', ''],
      ['svc> ', `${pasted(forms.join('\r'))}\r`],
      ['\n[:sum 19701]', ''],
      ['svc> ', ':quit\r'],
    );
    expect(stdout).not.to.include('Error');
    expect(status).to.equal(0);
  });

  it('takes 200 forms that a terminal does not mark as pasted', async () => {
    const forms = Array.from({ length: 200 }, (_, index) => `(swap! total + ${index + 1})\r`);
    const { stdout, status } = await session(
      ['svc> ', `(def total (atom 0))\r${forms.join('')}[:sum @total]\r`],
      ['\n[:sum 20100]', ''],
      ['svc> ', ':quit\r'],
    );
    expect(stdout).not.to.include('Error');
    expect(status).to.equal(0);
  });

  it('edits in the middle of wide letters and combined ones, with the cursor in its column', async () => {
    const left = '\u001b[D';
    const { stdout, status } = await session(
      ['svc> ', '"漢字"'],
      ['字"', `${left}${left}x`],
      // The prompt takes five columns, the text before the cursor one, two and one.
      ['\u001b[10G', '\r'],
      ['\n"漢x字"', ''],
      ['svc> ', '"e\u0301o"'],
      ['o"', `${left}${left}x`],
      ['\u001b[9G', '\r'],
      ['\n"e\u0301xo"', ''],
      ['svc> ', '(count "👨\u200d👩\u200d👧")\r'],
      ['\n8', ''],
      ['svc> ', '"👨\u200d👩\u200d👧o"'],
      ['o"', `${left}${left}${left}x`],
      ['x', '\r'],
      ['\n"x👨\u200d👩\u200d👧o"', ''],
      ['svc> ', '"a👨\u200d👩\u200d👧'],
      ['👧', '\u007fb"\r'],
      ['\n"ab"', ''],
      ['svc> ', ':quit\r'],
    );
    expect(stdout).not.to.include('Error');
    expect(status).to.equal(0);
  });

  it('shows nothing that a terminal would act upon, of values, prints and exceptions', async () => {
    const hostile = '(str (char 27) "]52;c;QUJD" (char 7) (char 27) "[2J" (char 155) "2J" (char 13) "over")';
    const { stdout, status } = await session(
      ['svc> ', `(def bad ${hostile})\r`],
      ["#'user/bad", ''],
      ['svc> ', 'bad\r'],
      ['over', ''],
      ['svc> ', '(println bad)\r'],
      ['over', ''],
      ['svc> ', '(throw (ex-info bad {:data bad}))\r'],
      ['Error', ''],
      ['svc> ', '(println (apply str (repeat 1000000 "a")) (str "e" "nd"))\r'],
      ['aaaa', ''],
      ['svc> ', ':quit\r'],
    );
    for (const raw of ['\u001b]52', '\u0007', '\u001b[2J', '\u009b']) expect(stdout).not.to.include(raw);
    expect(stdout).not.to.match(/\rover/);
    for (const shown of ['⟨U+001B⟩]52', '⟨U+0007⟩', '⟨U+009B⟩']) expect(stdout).to.include(shown);
    expect(status).to.equal(0);
  });

  it('colours values, unless nobody wants colours', async () => {
    const { child: seen, ended: shown } = replAtTerminal(
      directory,
      { XDG_CACHE_HOME: directory, TERM: 'xterm' },
      PROGRAM,
    );
    await type(seen, [
      ['svc> ', '[1 :a "s"]\r'],
      ['\u001b[32m', ':quit\r'],
    ]);
    const { stdout } = await shown;
    expect(stdout)
      .to.include('\u001b[36m1\u001b[39m')
      .and.include('\u001b[35m:a\u001b[39m')
      .and.include('\u001b[32m"s"\u001b[39m');
    const { child, ended } = replAtTerminal(
      directory,
      { XDG_CACHE_HOME: directory, TERM: 'xterm', NO_COLOR: '1' },
      PROGRAM,
    );
    await type(child, [
      ['svc> ', '[1 :a]\r'],
      ['[1 :a]\r\n', ':quit\r'],
    ]);
    expect((await ended).stdout).not.to.include('\u001b[36m');
  });

  it('shows a long value whole with :more, and keeps it', async () => {
    const { stdout, status } = await session(
      ['svc> ', '(vec (range 100))\r'],
      ['truncated', ''],
      ['svc> ', ':more\r'],
      ['98 99]', ''],
      ['svc> ', '(count *1)\r'],
      ['100', ''],
      ['svc> ', ':quit\r'],
    );
    expect(stdout).to.include('truncated');
    expect(status).to.equal(0);
  });

  it('keeps what is typed during an evaluation for the prompt after it', async () => {
    const { stdout, status } = await session(
      ['svc> ', '(count (reduce conj [] (range 900000)))\r(+ 40 1)\r(+ 40'],
      ['\n900000', ''],
      ['\n41', ' 2)\r'],
      ['\n42', ''],
      ['svc> ', ':quit\r'],
    );
    expect(stdout).to.match(/\n900000\r?\n[^\n]*svc> [^\n]*\(\+ 40 1\)\r*\n41\r?\n[^\n]*svc> [^\n]*\(\+ 40 2\)\r*\n42/);
    expect(status).to.equal(0);
  });

  it('recalls whole forms, of earlier sessions as well, and finds them with Ctrl+R', async () => {
    await session(['svc> ', '(defn f [x]\r'], ['...> ', ' (inc x))\r'], ["#'user/f", ''], ['svc> ', ':quit\r']);
    const { stdout } = await session(
      ['svc> ', '\u001b[A'],
      [':quit', '\u001b[A'],
      ['(inc x))', '\r'],
      ["#'user/f", ''],
      ['svc> ', '(f 41)\r'],
      ['\n42', ''],
      ['svc> ', '\u0012'],
      ['(search)', 'defn'],
      ['defn: (defn f [x]  (inc x))', '\r'],
      ["#'user/f", ''],
      ['svc> ', ':quit\r'],
    );
    expect(stdout).not.to.include('Error');
    expect(readFileSync(join(directory, 'svc/repl-history'), 'utf8')).to.equal(
      '(f 41)\n(defn f [x]\r (inc x))\n:quit\n',
    );
  });

  it('goes on when its window changes its size, also in the middle of a form', async () => {
    const { child, ended } = replAtTerminal(
      directory,
      { XDG_CACHE_HOME: directory, TERM: 'xterm', NO_COLOR: '1' },
      PROGRAM,
    );
    const resize = (): void => {
      signalAll(descendantsOf(child.pid ?? 0), 'SIGWINCH');
    };
    await type(child, [
      ['svc> ', '(def a 40)\r'],
      ["#'user/a", ''],
      ['svc> ', ''],
    ]);
    resize();
    child.stdin?.write('(+ a\r');
    await type(child, [['...> ', '']]);
    resize();
    child.stdin?.write('2)\r');
    await type(child, [['42', ':quit\r']]);
    expect((await ended).status).to.equal(0);
  });

  it('remembers what was typed, for this user alone', async () => {
    await session(['svc> ', '(+ 40 2)\r'], ['\n42', ''], ['svc> ', ':quit\r']);
    const path = join(directory, 'svc/repl-history');
    expect(readFileSync(path, 'utf8')).to.equal('(+ 40 2)\n:quit\n');
    expect(statSync(path).mode & 0o777).to.equal(0o600);
  });
});

describe('repl that is told to stop', () => {
  for (const [signal, status] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGQUIT', 131],
    ['SIGTERM', 143],
  ] as const) {
    it(`ends an evaluation at ${signal}`, async () => {
      const directory = makeWorkDirectory();
      const { child, ended } = start({ argv: ['repl', '-e', '(println 1)', '-e', '(loop [] (recur))'], directory });
      await type(child, [['1\n', '']]);
      child.kill(signal);
      expect((await ended).status).to.equal(status);
      removeWorkDirectory(directory);
    });

    it(`ends a prompt at ${signal}`, async () => {
      const directory = makeWorkDirectory();
      const { child, ended } = start({ argv: ['repl'], directory, options: { stdio: ['pipe', 'pipe', 'pipe'] } });
      await type(child, [
        ['svc> ', '1\n'],
        ['svc> ', ''],
      ]);
      child.kill(signal);
      expect((await ended).status).to.equal(status);
      removeWorkDirectory(directory);
    });
  }
});

describe('repl whose sandbox is killed under a form', () => {
  it('goes on with a fresh one, and has the definitions so far', async () => {
    const directory = makeWorkDirectory();
    const { child, ended } = start({ argv: ['repl'], directory, options: { stdio: ['pipe', 'pipe', 'pipe'] } });
    await type(child, [
      ['svc> ', '(def a 1)\n'],
      ["#'user/a\nsvc> ", ''],
    ]);
    // The child is the program itself: the launcher replaces itself by it.
    signalAll(descendantsOf(child.pid ?? 0), 'SIGKILL');
    child.stdin?.write('(inc 1)\n');
    await type(child, [
      ['fresh', '(inc 2)\na\n'],
      ['svc> 1', ':quit\n'],
    ]);
    const { status, stdout } = await ended;
    expect(stdout).to.match(
      /svc> Error \(memory_exceeded\): [^\n]*\nThe session goes on in a fresh isolate, with the definitions so far.\nsvc> 3\nsvc> 1\n/,
    );
    expect(status).to.equal(0);
    removeWorkDirectory(directory);
  });
});
