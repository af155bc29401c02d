import { type Attack, js, MEMORY, TIME, TIME_OR_MEMORY } from '../attack.ts';

/** Work that goes on after the program has returned, in the queue of microtasks. */
export const promises: readonly Attack[] = [
  js('promise-loop', 'a loop in a reaction', TIME, 'Promise.resolve().then(() => { for (;;); }); return 1;'),
  js('promise-await-loop', 'a loop after await', TIME, '(async () => { await 0; for (;;); })(); return 1;'),
  js(
    'promise-chain',
    'reactions that make reactions',
    TIME_OR_MEMORY,
    'const f = () => Promise.resolve().then(f); f(); return 1;',
  ),
  js('promise-await-for-ever', 'await without end', TIME, '(async () => { for (;;) await 0; })(); return 1;'),
  js(
    'promise-flood',
    'a flood of reactions',
    TIME_OR_MEMORY,
    'const f = () => { for (let i = 0; i < 1000; i++) Promise.resolve(i).then(f); }; f(); return 1;',
  ),
  js(
    'promise-thenable',
    'a thenable that resolves with itself',
    TIME_OR_MEMORY,
    'const t = { then(done) { done(t); } }; Promise.resolve(t); return 1;',
  ),
  js(
    'promise-all-endless',
    'Promise.all of an endless iterator',
    TIME_OR_MEMORY,
    'Promise.all({ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) }); return 1;',
  ),
  js(
    'promise-rejections',
    'rejections that nobody handles',
    MEMORY,
    'const all = []; for (;;) all.push(Promise.reject(new Error("x")));',
  ),
  js(
    'promise-rejection-one',
    'one rejection that nobody handles',
    ['returned', 'host_lost/protocol_violation'],
    'Promise.reject(new Error("x")); return 1;',
  ),
  js(
    'promise-async-iterator',
    'an endless asynchronous iteration',
    TIME,
    '(async () => { for await (const x of (async function* () { for (;;) yield 1; })()); })(); return 1;',
  ),
  js(
    'promise-grow-after-return',
    'growth after the return',
    MEMORY,
    'const kept = []; (async () => { for (;;) { await 0; kept.push(new Array(100).fill(kept)); } })(); return 1;',
  ),
  js(
    'promise-finally',
    'finally reactions without end',
    TIME_OR_MEMORY,
    'const f = () => Promise.reject(1).finally(f); f(); return 1;',
  ),
  js(
    'promise-subclass',
    'a subclass whose reactions are of its own kind',
    TIME_OR_MEMORY,
    'class P extends Promise { then(a, b) { return super.then(() => P.resolve().then(a), b); } } P.resolve().then(() => 1); return 1;',
  ),
];
