import { expect } from 'chai';
import { valueOf } from '../../../contract/json/node.ts';
import { documentLimits, parseJsonText } from '../../../contract/json/parse.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { findText } from '../../history/analysis/members.ts';
import { LAUNCH_BYTES, launcher, wishOf, type StartProgram, type Wish } from './launch.ts';

function json(text: string): JsonValue | undefined {
  const parsed = parseJsonText(text, documentLimits(LAUNCH_BYTES));
  return parsed.ok ? valueOf(parsed.root) : undefined;
}

describe('a launch from the page (evidence.md §11)', () => {
  const RUN: Wish = { kind: 'run', input: new Map([['a', 1]]) };

  function program() {
    const started: {
      argv: readonly string[];
      input: string | null;
      say: (text: string | Uint8Array) => void;
      end: (isWell: boolean) => void;
    }[] = [];
    let stops = 0;
    const start: StartProgram = (argv, input, onOutput) => {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      started.push({
        argv,
        input,
        say: (text) => {
          onOutput(Buffer.from(text));
        },
        end: resolve,
      });
      return {
        ended: promise,
        stop: () => {
          stops += 1;
          resolve(false);
        },
      };
    };
    return { started, start, stops: () => stops };
  }

  it('starts the one document, with an input that stands in no argument', () => {
    const { started, start } = program();
    launcher('project.json', start).start(RUN);
    launcher('project.json', start).start({ kind: 'mission', mission: 'room', expression: '(+ 1 2)' });
    expect(started.map(({ argv, input }) => [argv, input])).to.deep.equal([
      [['run', 'project.json', '--input', '-'], '{"a":1}'],
      [['repl', '--project', 'project.json', '--mission', 'room', '-e', '(+ 1 2)'], null],
    ]);
  });

  it('is one at a time, and tells how it ended', async () => {
    const { started, start } = program();
    const launches = launcher('p', start);
    expect(launches.state()).to.deep.equal(new Map([['status', 'idle']]));
    expect([launches.start(RUN), launches.start(RUN)]).to.deep.equal([true, false]);
    started[0]?.say('told');
    expect(launches.state()).to.deep.equal(
      new Map([
        ['status', 'running'],
        ['output_tail', 'told'],
      ]),
    );
    started[0]?.end(false);
    await Promise.resolve();
    expect(launches.state()).to.deep.equal(
      new Map([
        ['status', 'error'],
        ['output_tail', 'told'],
      ]),
    );
    expect(launches.start(RUN)).to.equal(true);
    expect(launches.state()).to.deep.equal(
      new Map([
        ['status', 'running'],
        ['output_tail', ''],
      ]),
    );
    started[1]?.end(true);
    await Promise.resolve();
    expect(launches.state().get('status')).to.equal('ok');
  });

  it('keeps the last 2,000 bytes of what was said, and no part of a character', () => {
    for (const [said, stored] of [
      ['x'.repeat(1999), 1999],
      ['x'.repeat(2000), 2000],
      ['x'.repeat(2001), 2000],
      ['€'.repeat(667), 1998],
    ] as const) {
      const { started, start } = program();
      const launches = launcher('p', start);
      launches.start(RUN);
      for (const character of said) started[0]?.say(character);
      const tail = findText(launches.state(), 'output_tail') ?? '';
      expect(Buffer.byteLength(tail)).to.equal(stored);
      expect(tail).to.match(/^[x€]*$/);
    }
  });

  it('is stopped once it runs', async () => {
    const { start, stops } = program();
    const launches = launcher('p', start);
    expect(launches.stop()).to.equal(false);
    launches.start(RUN);
    expect(launches.stop()).to.equal(true);
    await Promise.resolve();
    await Promise.resolve();
    expect([stops(), findText(launches.state(), 'status'), launches.stop()]).to.deep.equal([1, 'error', false]);
  });

  it('ends with the viewer', async () => {
    const { start, stops } = program();
    const launches = launcher('p', start);
    await launches.close();
    launches.start(RUN);
    await launches.close();
    expect(stops()).to.equal(1);
  });

  it('is what the project has, and nothing else', () => {
    const wishes = [
      '{"input":{}}',
      '{"mission":"room","expression":"1"}',
      JSON.stringify({ mission: 'room', expression: 'x'.repeat(65_536) }),
    ];
    for (const body of wishes) expect(wishOf(json(body), ['room']), body.slice(0, 60)).not.to.equal(null);
    const others = [
      '{}',
      '[]',
      '1',
      'x',
      '',
      '{"input":1}',
      '{"input":null}',
      '{"input":[]}',
      '{"input":{},"project":"other.json"}',
      '{"mission":"other","expression":"1"}',
      '{"mission":"room"}',
      '{"expression":"1"}',
      '{"mission":"room","expression":" "}',
      '{"mission":"room","expression":1}',
      '{"mission":"room","expression":"1","input":{}}',
      '{"mission":"--trace-dir","expression":"1"}',
      JSON.stringify({ mission: 'room', expression: 'x'.repeat(65_537) }),
    ];
    for (const body of others) expect(wishOf(json(body), ['room']), body.slice(0, 60)).to.equal(null);
  });
});
