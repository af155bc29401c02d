/** Hosts that are not ours: scripts that get the pipe and speak as they like. */
export interface RogueHost {
  readonly id: string;
  readonly title: string;
  /** Runs after `PREAMBLE`; the supervisor opens one isolate and makes one request of it. */
  readonly script: string;
  /** Verdicts of the request that are right. */
  readonly expected: readonly string[];
}

const VIOLATION = ['host_lost/protocol_violation'] as const;
const LOST = ['host_lost/protocol_violation', 'host_lost/killed', 'host_lost/exited'] as const;

function rogue(id: string, title: string, expected: readonly string[], script: string): RogueHost {
  return { id, title, expected, script };
}

const VALUE = `'r' + JSON.stringify({ outcome: 'returned', value: '1', projection_fault: null, prints: [] })`;

/** Frames that are none. */
const garbage: readonly RogueHost[] = [
  rogue('garbage-at-once', 'text before anything was asked', VIOLATION, `send('hello supervisor\\n'.repeat(10));`),
  // One in a hundred would begin with a length that a frame may have.
  rogue(
    'garbage-random',
    'random bytes',
    VIOLATION,
    `const b = require('node:crypto').randomBytes(1 << 16); b[0] |= 128; send(b);`,
  ),
  rogue(
    'garbage-giant-length',
    'a length of four gigabytes',
    VIOLATION,
    `send(Buffer.from([255, 255, 255, 255, 0, 0, 2, 123, 125]));`,
  ),
  rogue('garbage-zero-length', 'frames of no length', VIOLATION, `send(Buffer.alloc(4096));`),
  rogue(
    'garbage-zeros-endless',
    'zeros without end',
    VIOLATION,
    `const z = Buffer.alloc(1 << 20); const go = () => { while (pipe.write(z)); pipe.once('drain', go); }; go();`,
  ),
  rogue(
    'garbage-half-frame',
    'half a frame, and silence',
    ['timeout'],
    `opening((call) => send(frame(HOST, call.id, 'x'.repeat(1000)).subarray(0, 100)));`,
  ),
  rogue(
    'garbage-half-frame-end',
    'half a frame, and the end',
    LOST,
    `opening((call) => { pipe.end(frame(HOST, call.id, 'x').subarray(0, 9)); });`,
  ),
  rogue(
    'garbage-byte-by-byte',
    'an honest answer, byte by byte',
    ['returned'],
    `opening((call) => { for (const b of frame(HOST, call.id, ${VALUE})) send(Buffer.from([b])); });`,
  ),
  rogue('garbage-channel', 'a third channel', VIOLATION, `opening((call) => send(frame(2, call.id, 'x')));`),
  rogue(
    'garbage-header-length',
    'a header longer than its frame',
    VIOLATION,
    `opening(() => send(Buffer.from([0, 0, 0, 4, 0, 255, 255, 123])));`,
  ),
  rogue(
    'garbage-header-json',
    'a header that is no JSON',
    VIOLATION,
    `opening(() => send(frame(HOST, '{"id":', 'x')));`,
  ),
  rogue(
    'garbage-header-deep',
    'a header of brackets',
    VIOLATION,
    `opening(() => send(frame(HOST, '['.repeat(1000), 'x')));`,
  ),
  rogue(
    'garbage-header-utf8',
    'a header of invalid UTF-8',
    VIOLATION,
    `opening(() => send(Buffer.from([0, 0, 0, 6, 0, 0, 3, 0xff, 0xfe, 0xfd])));`,
  ),
  rogue(
    'garbage-body-beyond',
    'a body beyond its bound',
    VIOLATION,
    `opening((call) => { const b = frame(HOST, call.id, 'x'); b.writeUInt32BE(45000000, 0); send(b); });`,
  ),
  rogue(
    'garbage-large-dribble',
    'a large frame that never ends',
    ['timeout'],
    `opening((call) => { const b = frame(HOST, call.id, 'x'); b.writeUInt32BE(39000000, 0); send(b); const t = Buffer.alloc(1 << 16); setInterval(() => send(t), 5); });`,
  ),
];

/** Answers to questions nobody asked, and wrong ones. */
const answers: readonly RogueHost[] = [
  rogue('answer-unasked', 'an answer before any question', VIOLATION, `reply('9', 'opened');`),
  rogue('answer-foreign-id', 'an answer with an id of its own', VIOLATION, `opening(() => reply('999', ${VALUE}));`),
  rogue(
    'answer-twice',
    'two answers to one question',
    [...VIOLATION, 'returned'],
    `opening((call) => { reply(call.id, ${VALUE}); reply(call.id, ${VALUE}); });`,
  ),
  rogue('answer-proto-id', 'an id named __proto__', VIOLATION, `opening(() => reply('__proto__', ${VALUE}));`),
  rogue(
    'answer-thrown',
    'the form in which comlink throws',
    VIOLATION,
    `opening((call) => send(frame(HOST, { id: call.id, type: 'HANDLER', name: 'throw', value: { isError: true, value: { message: 'x' } } })));`,
  ),
  rogue(
    'answer-proxy',
    'the form in which comlink hands a proxy',
    VIOLATION,
    `opening((call) => send(frame(HOST, { id: call.id, type: 'HANDLER', name: 'proxy', value: {} })));`,
  ),
  rogue(
    'answer-raw-object',
    'a value that is no text',
    VIOLATION,
    `opening((call) => send(frame(HOST, { id: call.id, type: 'RAW', value: { then: 1 } })));`,
  ),
  rogue('answer-open-wrong', 'another word for an open', LOST, `onCall((call) => reply(call.id, 'perhaps'));`),
  rogue('answer-open-never', 'no answer to an open', LOST, `onCall(() => {});`),
  rogue(
    'answer-open-late',
    'an answer to a request before that to the open',
    [...VIOLATION, 'returned'],
    `onCall((call) => { if (call.method === 'request') reply(call.id, ${VALUE}); });`,
  ),
  rogue('answer-no-word', 'an unknown word', VIOLATION, `opening((call) => reply(call.id, 'excellent'));`),
  rogue('answer-empty', 'an empty answer', VIOLATION, `opening((call) => reply(call.id, ''));`),
  rogue('answer-not-json', 'a reply that is no JSON', VIOLATION, `opening((call) => reply(call.id, 'r{"outcome":'));`),
  rogue(
    'answer-wrong-shape',
    'a reply of another shape',
    VIOLATION,
    `opening((call) => reply(call.id, 'r{"outcome":"returned","value":{"toString":1}}'));`,
  ),
  rogue(
    'answer-extra-member',
    'a reply with a member too many',
    VIOLATION,
    `opening((call) => reply(call.id, 'r' + JSON.stringify({ outcome: 'returned', value: '1', projection_fault: null, prints: [], run_ref: 'x' })));`,
  ),
  rogue(
    'answer-polluting',
    'a reply with a prototype',
    VIOLATION,
    `opening((call) => reply(call.id, 'r{"__proto__":{"outcome":"returned","value":"1","projection_fault":null,"prints":[]}}'));`,
  ),
  rogue(
    'answer-deep',
    'a reply of a million brackets',
    VIOLATION,
    `opening((call) => reply(call.id, 'r' + '['.repeat(1e6) + ']'.repeat(1e6)));`,
  ),
  rogue(
    'answer-observation',
    'an observation that nobody asked for, and no value',
    VIOLATION,
    `opening((call) => reply(call.id, 'r' + JSON.stringify({ outcome: 'continued', value: null, projection_fault: null, prints: [], observation: { text: '1', value_truncated: false, prints_truncated: false, caps_hit: [], sampled_keys: [] } })));`,
  ),
  rogue(
    'answer-continuation',
    'a continuation that nobody asked for',
    VIOLATION,
    `opening((call) => reply(call.id, 'r' + JSON.stringify({ outcome: 'continued', value: '1', projection_fault: null, prints: [], continuation: { definitions: '', history: [], defined_count: 0, history_count: 0, memory_bytes: 0, history_bytes: 0 } })));`,
  ),
  rogue(
    'answer-code',
    'code that nobody asked for',
    VIOLATION,
    `opening((call) => reply(call.id, 'r' + JSON.stringify({ outcome: 'continued', value: '1', projection_fault: null, prints: [], code: 'x' })));`,
  ),
  rogue(
    'answer-heap',
    'an honest answer with the largest heap',
    ['returned'],
    `opening((call) => reply(call.id + ' 9007199254740991/9007199254740991', ${VALUE}));`,
  ),
  ...['-1/0', '1', '1/2/3', '9007199254740992/0', '1e9/0', 'NaN/0', '', '{"observed":1}'].map((heap, nth) =>
    rogue(
      `answer-heap-odd-${nth}`,
      `a heap of "${heap}"`,
      VIOLATION,
      `opening((call) => reply(call.id + ' ' + ${JSON.stringify(heap)}, ${VALUE}));`,
    ),
  ),
  rogue(
    'answer-heap-of-none',
    'the heap of an isolate that has ended',
    VIOLATION,
    `opening((call) => reply(call.id + ' 8/3', 'memory'));`,
  ),
  rogue('answer-never', 'no answer', ['timeout'], `opening(() => {});`),
  rogue(
    'answer-disposed',
    'an isolate that was disposed of by nobody',
    VIOLATION,
    `opening((call) => reply(call.id, 'disposed'));`,
  ),
  rogue(
    'answer-late-flood',
    'an honest answer and a flood after it',
    [...VIOLATION, 'returned'],
    `opening((call) => { reply(call.id, ${VALUE}); for (let i = 0; i < 1e4; i++) reply(String(1000 + i), ${VALUE}); });`,
  ),
];

const CALL = `'1 tool'`;

/** Calls towards the supervisor. */
const calls: readonly RogueHost[] = [
  rogue('call-unopened', 'a call before any isolate is open', VIOLATION, `send(frame(BROKER, ${CALL}, '{}'));`),
  rogue(
    'call-unmade',
    'a call of an isolate that is not made yet',
    VIOLATION,
    `onCall((call) => { if (call.method === 'request') send(frame(BROKER, ${CALL}, '{}')); });`,
  ),
  rogue(
    'call-at-once',
    'an honest call, in one piece with the answer to the open',
    ['timeout'],
    `let id; onCall((call) => { if (call.method === 'open') id = call.id; else if (call.method === 'request') send(Buffer.concat([frame(HOST, id, 'opened'), frame(BROKER, ${CALL}, '{}')])); });`,
  ),
  rogue(
    'call-foreign-isolate',
    'a call of an isolate that is not its own',
    VIOLATION,
    `opening(() => send(frame(BROKER, '99 tool', '{}')));`,
  ),
  rogue(
    'call-idle-isolate',
    'a call of an isolate that is not running',
    VIOLATION,
    `onCall((call) => { reply(call.id, 'opened'); send(frame(BROKER, ${CALL}, '{}')); });`,
  ),
  rogue(
    'call-two-at-once',
    'two calls of one isolate at once',
    VIOLATION,
    `opening(() => { send(frame(BROKER, ${CALL}, '{}')); send(frame(BROKER, '1 other', '{}')); });`,
  ),
  rogue(
    'call-flood',
    'a hundred thousand calls',
    VIOLATION,
    `opening(() => { for (let i = 0; i < 1e5; i++) send(frame(BROKER, '1 tool' + i, '{}')); });`,
  ),
  ...['GET', 'SET', 'APPLY', 'CONSTRUCT', 'ENDPOINT', 'RELEASE'].map((type) =>
    rogue(
      `call-comlink-${type.toLowerCase()}`,
      `comlink's ${type} of constructor.constructor`,
      VIOLATION,
      `opening(() => send(frame(BROKER, { id: '1-2-3-4', type: '${type}', path: ['constructor', 'constructor'], argumentList: [{ type: 'RAW', value: 'return process' }], value: { type: 'RAW', value: 1 } })));`,
    ),
  ),
  rogue('call-no-name', 'a call without a name', VIOLATION, `opening(() => send(frame(BROKER, '1', '{}')));`),
  rogue(
    'call-no-isolate',
    'a call without an isolate',
    VIOLATION,
    `opening(() => send(frame(BROKER, ' tool', '{}')));`,
  ),
  rogue(
    'call-long-name',
    'a name of 900 characters',
    VIOLATION,
    `opening(() => send(frame(BROKER, '1 ' + 'n'.repeat(900), '{}')));`,
  ),
  rogue(
    'call-huge',
    'arguments beyond the largest',
    VIOLATION,
    `opening(() => send(frame(BROKER, ${CALL}, 'x'.repeat(4000002))));`,
  ),
];

/** Ways to die, and not to. */
const deaths: readonly RogueHost[] = [
  rogue('death-at-start', 'an exit before anything', LOST, `process.exit(0);`),
  rogue('death-in-request', 'an exit in a request', LOST, `opening(() => process.exit(7));`),
  rogue('death-by-throw', 'an exception in a request', LOST, `opening(() => { throw new Error('x'); });`),
  rogue('death-by-abort', 'an abort in a request', ['memory_exceeded'], `opening(() => process.abort());`),
  rogue(
    'death-by-memory',
    'a heap of its own that runs out',
    ['memory_exceeded', 'timeout'],
    `opening(() => { const a = []; for (;;) a.push(new Array(1e6).fill(a.length)); });`,
  ),
  rogue(
    'death-half-closed',
    'a pipe that is closed by a host that lives on',
    LOST,
    `opening(() => { pipe.destroy(); setInterval(() => {}, 1000); });`,
  ),
  rogue(
    'death-refused',
    'a host that ignores every signal it can',
    ['timeout'],
    `for (const s of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGPIPE', 'SIGQUIT', 'SIGUSR2']) process.on(s, () => {}); opening(() => { for (;;); });`,
  ),
  rogue('death-deaf', 'a host that reads nothing', ['timeout'], `opening(() => pipe.pause());`),
  rogue(
    'death-stderr-flood',
    'a flood on standard error',
    ['host_lost/killed'],
    `opening(() => { const { writeSync } = require('node:fs'); for (;;) { try { writeSync(2, 'x'.repeat(65536)); } catch {} } });`,
  ),
];

/** When a frame comes: what the host does before, around `frames()`. */
const STATES: readonly (readonly [
  id: string,
  title: string,
  script: (frames: string) => string,
  expected: readonly string[],
])[] = [
  ['start', 'before anything is asked', (frames) => frames, VIOLATION],
  [
    'asked',
    'before the isolate is there',
    (frames) => `onCall((call) => { if (call.method === 'open') { ${frames} } });`,
    VIOLATION,
  ],
  [
    'running',
    'while a program runs',
    (frames) => `opening((call) => { if (call.method === 'request') { ${frames} } });`,
    VIOLATION,
  ],
  [
    'calling',
    'while a call is carried',
    (frames) =>
      `opening((call) => { if (call.method === 'request') { send(frame(BROKER, ${CALL}, '{}')); ${frames} } });`,
    VIOLATION,
  ],
  [
    'answered',
    'after the answer',
    (frames) => `opening((call) => { if (call.method === 'request') { reply(call.id, ${VALUE}); ${frames} } });`,
    [...VIOLATION, 'returned'],
  ],
  [
    'ending',
    'when the isolate is disposed of',
    (frames) => `opening((call) => { if (call.method === 'request') reply(call.id, ${VALUE}); else { ${frames} } });`,
    ['returned'],
  ],
];
/** Of each kind, none of which any state admits. */
const UNASKED: readonly (readonly [id: string, title: string, frames: string])[] = [
  ['answer', 'an answer to nothing', `reply('77', ${VALUE});`],
  ['empty-answer', 'an answer without an id', `reply('', '');`],
  ['call-of-another', 'a call of another isolate', `send(frame(BROKER, '2 tool', '{}'));`],
  [
    'branches-of-another',
    'branches of another isolate',
    `send(frame(BROKER, '2 #parallel', '{"shared":"","calls":["",""]}'));`,
  ],
  ['call-without-name', 'a call without a name', `send(frame(BROKER, '1', '{}'));`],
  ['channel', 'a frame of no channel', `send(frame(7, '1', ''));`],
  ['length', 'a frame of no length', `send(Buffer.alloc(4));`],
];
const states: readonly RogueHost[] = STATES.flatMap(([state, when, script, expected]) =>
  UNASKED.map(([kind, what, frames]) => rogue(`state-${state}-${kind}`, `${what}, ${when}`, expected, script(frames))),
);

export const rogueHosts: readonly RogueHost[] = [...garbage, ...answers, ...calls, ...states, ...deaths];
