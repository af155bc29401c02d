import { expect } from 'chai';
import { CALL_PLACE, placeQuestion, readCallPlaces, type CallPlaces } from '../../contract/call-place.ts';
import { PARALLEL } from '../../contract/parallel.ts';
import { createGuest } from '../guest/guest.ts';
import { component, guestUnderTest, type GuestUnderTest } from './testing/guest-under-test.ts';

interface Message {
  readonly name: string;
  readonly arguments: string;
}
const messageOf = (text: string): Message => JSON.parse(text);
const ANSWERED = '{"reply":"envelope","envelope":{"status":"ok","value":1}}';

/** What is said of the places of calls by whoever is asked about each of them. */
class Places {
  readonly reported: (CallPlaces | null)[] = [];
  readonly names: string[] = [];
  readonly guest: GuestUnderTest = guestUnderTest((text) => this.answer(text, null));

  answer(text: string, program: string | null): string {
    const message = messageOf(text);
    this.names.push(message.name);
    if (message.name !== CALL_PLACE) return placeQuestion(program);
    this.reported.push(readCallPlaces(message.arguments));
    return ANSWERED;
  }

  with(source: string, id = 'app'): this {
    const reply = this.guest.compile([component(id, source)]);
    if (reply.status !== 'compiled') throw new Error(reply.fault.message);
    this.guest.load(reply.code);
    return this;
  }

  of(source: string): readonly (CallPlaces | null)[] {
    this.reported.length = 0;
    const reply = this.guest.evaluate(source, { tools: ['close', 'list'] });
    expect(reply.outcome, JSON.stringify(reply)).to.be.oneOf(['continued', 'returned']);
    return this.reported;
  }
}

const placeIn = (source: string) => new Places().of(source)[0]?.place;

/** Programs and the place of their call. */
const CALLS: readonly (readonly [source: string, line: number, column: number, text: string])[] = [
  ['(tool/close {:id 1})', 1, 1, '(tool/close {:id 1})'],
  ['(def a 1)\n(let [n 2]\n  (tool/close {:id n :note "é"}))', 3, 3, '(tool/close {:id n :note "é"})'],
  ['"é" [(tool!/close :id 1)]', 1, 6, '(tool!/close :id 1)'],
  ['(try (tool/close {}) (catch Exception e 1))', 1, 6, '(tool/close {})'],
  ['(defn f [x]\n (tool/close {:id x}))\n(mapv f [1])', 2, 2, '(tool/close {:id x})'],
  ['(mapv #(tool!/close {:id %}) [1])', 1, 8, '(tool!/close {:id %})'],
  ['(tool/close\n  {:id   1,\n   :b 2})', 1, 1, '(tool/close {:id 1, :b 2})'],
  ['[(map #(tool/close {:id %}) [1])]', 1, 8, '(tool/close {:id %})'],
];

describe('the place of a capability call (approvals.md §3)', () => {
  for (const [source, line, column, text] of CALLS)
    it(source, () => {
      expect(placeIn(source)).to.deep.equal({ component: null, ref: null, line, column, text });
    });

  it('is that of the call itself where a tool is passed as a function', () => {
    expect(placeIn('[1 (mapv tool/close [{}])]')).to.include({ line: 1, column: 4, text: '(mapv tool/close [{}])' });
    expect(placeIn('(apply tool!/close [{}])')).to.include({ text: '(apply tool!/close [{}])' });
  });

  it('asks for nothing where nobody asked for it', () => {
    const names: string[] = [];
    const guest = guestUnderTest((text) => {
      names.push(messageOf(text).name);
      return ANSWERED;
    });
    guest.evaluate('(tool/close {})', { tools: ['close'] });
    expect(names).to.deep.equal(['close']);
  });

  it('has the calls that led there, through components, each once', () => {
    const places = new Places().with('(ns app)\n(defn- inner [x] (tool/close {:id x}))\n(defn close [x] [(inner x)])');
    expect(places.of('(let [n 1]\n  [(app/close n)])')).to.deep.equal([
      {
        place: { component: 'app', ref: 'app/inner', line: 2, column: 18, text: '(tool/close {:id x})' },
        stack: [
          { component: 'app', ref: 'app/close', line: 3, column: 18, text: '(inner x)' },
          { component: null, ref: null, line: 2, column: 4, text: '(app/close n)' },
        ],
      },
    ]);
  });

  it('ends with the form of a program that has no code of its own', () => {
    const places = new Places().with('(ns app)\n(defn close [x] (tool/close {:id x}))');
    const [callPlaces] = places.of('(app/close 1)');
    expect(callPlaces?.stack.at(-1)).to.include({ component: null, text: '(app/close 1)' });
  });

  it('has eight calls at most', () => {
    const functions = Array.from(
      { length: 20 },
      (_, at) => `(defn f${at} [x] [(${at === 0 ? 'tool/close' : `f${at - 1}`} x)])`,
    );
    const [callPlaces] = new Places().of(`${functions.join('\n')} (f19 {})`);
    expect(callPlaces?.place.text).to.equal('(tool/close x)');
    expect(callPlaces?.stack).to.have.length(8);
  });

  it('of a function that an earlier program defined is where this program calls it', () => {
    const places = new Places();
    places.of('(defn f [x] (tool/close x))');
    expect(places.of('[(f {})]')[0]?.place.text).to.equal('(f {})');
  });

  it('cuts a long form at 160 characters', () => {
    const text = (length: number) => placeIn(`(tool/close {:note "${'🎫'.repeat(length)}"})`)?.text ?? '';
    const around = '(tool/close {:note ""})'.length;
    for (const length of [159, 160]) expect(text(length - around)).to.match(/"\}\)$/);
    expect(Array.from(text(161 - around))).to.have.length(160);
    expect(text(161 - around)).to.match(/…$/);
    expect(Array.from(text(100_000))).to.have.length(160);
  });

  for (const [source, line, text] of [
    ['(def all [1 2])\n(pmap (fn [n]\n  (tool/close {:id n})) all)', 3, '(tool/close {:id n})'],
    ['(defn close-it [n]\n  (tool!/close {:id n}))\n(pmap close-it [1 2])', 2, '(tool!/close {:id n})'],
    ['(let [big (vec (range 50))]\n  (pmap #(tool/close {:id % :all big}) [1 2]))', 2, '(tool/close {:id % :all big})'],
    ['(pcalls #(tool/close {:id 1})\n        #(tool/list {}))', 1, '(tool/close {:id 1})'],
  ] as const)
    it(`in a branch: ${source}`, () => {
      const branches = new Places();
      let shared = '';
      let calls: readonly string[] = [];
      const caller = guestUnderTest((message) => {
        const { name, arguments: operation } = messageOf(message);
        if (name === PARALLEL) ({ shared, calls } = JSON.parse(operation));
        return '{"reply":"limit","message":"over","details":{}}';
      });
      const tools = ['close', 'list'];
      caller.evaluate(source, { tools, branches: true });
      const [call] = calls;
      const branch = createGuest((message) => branches.answer(message, source));
      branch.handle(
        JSON.stringify({
          operation: 'branch',
          environment: 'mission',
          data: {},
          tools,
          loop_iterations: null,
          branches: true,
          shared,
          call,
        }),
      );
      expect(branches.reported.map((callPlaces) => callPlaces?.place)).to.deep.include({
        component: null,
        ref: null,
        line,
        column: (source.split('\n')[line - 1] ?? '').indexOf(text) + 1,
        text,
      });
    });

  it('is not known in a branch of a program that is another one', () => {
    const branches = new Places();
    let operation = '';
    guestUnderTest((message) => {
      operation = messageOf(message).arguments;
      return '{"reply":"limit","message":"over","details":{}}';
    }).evaluate('(pmap #(tool/close {:id %}) [1 2])', { tools: ['close'], branches: true });
    const { shared, calls }: { readonly shared: string; readonly calls: readonly string[] } = JSON.parse(operation);
    const rest = { environment: 'mission', data: {}, tools: ['close'], loop_iterations: null, branches: true };
    for (const other of ['(pmap #(tool/close {:is %}) [1 2])', '(((', ''])
      createGuest((message) => branches.answer(message, other)).handle(
        JSON.stringify({ operation: 'branch', ...rest, shared, call: calls[0] }),
      );
    expect(branches.reported).to.deep.equal([null, null, null]);
  });
});
