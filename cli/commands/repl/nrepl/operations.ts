import { randomUUID } from 'node:crypto';
import { visibleLines, visibleText } from '../../../../contract/visible-text.ts';
import type { FormEnd, Session } from '../../../../supervisor/api/sessions.ts';
import { complete } from '../complete.ts';
import { errorText, recoveryText } from '../form-text.ts';
import type { BencodeMap, BencodeValue, ReadBencode, ReadBencodeMap } from './bencode.ts';

/** Sessions at a time, and evaluations that may wait in one. */
export const MOST_SESSIONS = 16;
const MOST_WAITING = 64;
/** Characters of an id that a message may have. */
const MOST_ID = 256;

/** The namespace of a session before a form names another (language.md §14). */
const NAMESPACE = 'user';

export type Reply = (message: BencodeMap) => void;

export interface OperationsOptions {
  /** Opens a session; what is wrong where there can be none. */
  readonly openSession: () => Promise<Session | { readonly refusal: string }>;
  /** Of this program. */
  readonly version: string;
}

/** The operations of an nREPL server, over sessions that each have their own definitions. */
export interface Operations {
  /** Answers one message; each connection has sessions of its own without a name, by `owner`. */
  readonly handle: (message: ReadBencodeMap, owner: object, reply: Reply) => Promise<void>;
  /** The connection is gone: its evaluations are given up, its nameless session ends. */
  readonly leave: (owner: object) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A session, and what is at work in it. */
interface OpenSession {
  readonly session: Session;
  owner: object;
  /** One request at a time: the last one that was asked. */
  last: Promise<void>;
  waiting: number;
  running: { readonly id: string; readonly abort: AbortController } | null;
  hasEnded: boolean;
  namespace: string;
}

const NAME = /^[^\s,;"'`~@^()[\]{}\\#:0-9][^\s,;"'`~@^()[\]{}\\]*$/;

export function nreplOperations({ openSession, version }: OperationsOptions): Operations {
  const sessions = new Map<string, OpenSession>();
  /** Sessions of connections that ask without naming one. */
  const nameless = new Map<object, Promise<OpenSession | string>>();
  const closedClients = new WeakSet<object>();

  async function open(owner: object): Promise<OpenSession | string> {
    const session = await openSession();
    if ('refusal' in session) return session.refusal;
    return {
      session,
      owner,
      last: Promise.resolve(),
      waiting: 0,
      running: null,
      hasEnded: false,
      namespace: NAMESPACE,
    };
  }

  async function end(place: OpenSession): Promise<void> {
    place.hasEnded = true;
    place.running?.abort.abort();
    await place.last;
    await place.session.close();
  }

  /** Room for one more: a session whose connection is gone gives way, the oldest first. */
  async function makeRoom(): Promise<boolean> {
    if (sessions.size + nameless.size < MOST_SESSIONS) return true;
    const left = [...sessions].find(([, { owner }]) => closedClients.has(owner));
    if (left === undefined) return false;
    sessions.delete(left[0]);
    await end(left[1]);
    return true;
  }

  /** The session that a message means; a status where it means none. */
  async function sessionOf(message: ReadBencodeMap, owner: object): Promise<OpenSession | string> {
    const id = textOf(message, 'session');
    if (id === '') {
      const known = nameless.get(owner);
      if (known !== undefined) return known;
      if (!(await makeRoom())) return 'too-many-sessions';
      const opening = nameless.get(owner) ?? open(owner);
      nameless.set(owner, opening);
      return opening;
    }
    const found = sessions.get(id);
    if (found === undefined) return 'unknown-session';
    found.owner = owner;
    return found;
  }

  /** Does the work when the session has done what it was asked before. */
  async function inTurn(place: OpenSession, reply: Reply, work: () => Promise<void>): Promise<void> {
    if (place.waiting >= MOST_WAITING) {
      reply({ status: ['error', 'too-many-requests', 'done'] });
      return;
    }
    place.waiting += 1;
    const before = place.last;
    const takeTurn = async (): Promise<void> => {
      await before;
      if (place.hasEnded) reply({ status: ['error', 'unknown-session', 'done'] });
      else await work();
    };
    const turn = takeTurn();
    place.last = turn.then(
      () => undefined,
      () => undefined,
    );
    try {
      await turn;
    } finally {
      place.waiting -= 1;
    }
  }

  async function evaluate(
    place: OpenSession,
    { source, name, id }: { readonly source: string; readonly name: string; readonly id: string },
    reply: Reply,
  ): Promise<void> {
    const abort = new AbortController();
    place.running = { id, abort };
    const evaluated = await place.session.evaluate(source, abort.signal);
    place.running = null;
    place.namespace = evaluated.namespace ?? place.namespace;
    report(evaluated, { name, namespace: place.namespace }, reply);
    reply({ status: abort.signal.aborted ? ['done', 'interrupted'] : ['done'] });
  }

  const operations: Readonly<Record<string, (message: ReadBencodeMap, owner: object, reply: Reply) => Promise<void>>> =
    {
      describe: async (_message, _owner, reply) => {
        reply({
          ops: Object.fromEntries(Object.keys(operations).map((name) => [name, {}])),
          versions: { svc: { 'version-string': version }, nrepl: { major: 1, minor: 0, incremental: 0 } },
          aux: {},
          status: ['done'],
        });
      },
      clone: async (_message, owner, reply) => {
        if (!(await makeRoom())) {
          reply({ status: ['error', 'too-many-sessions', 'done'] });
          return;
        }
        const opened = await open(owner);
        if (typeof opened === 'string') {
          reply({ err: `${visibleText(opened)}\n`, status: ['error', 'session-refused', 'done'] });
          return;
        }
        const id = randomUUID();
        sessions.set(id, opened);
        reply({ 'new-session': id, status: ['done'] });
      },
      close: async (message, _owner, reply) => {
        const id = textOf(message, 'session');
        const found = sessions.get(id);
        sessions.delete(id);
        if (found !== undefined) await end(found);
        reply({ status: found === undefined ? ['error', 'unknown-session', 'done'] : ['session-closed', 'done'] });
      },
      'ls-sessions': async (_message, _owner, reply) => {
        reply({ sessions: [...sessions.keys()], status: ['done'] });
      },
      eval: async (message, owner, reply) => {
        const source = message.get('code');
        if (typeof source !== 'string') {
          reply({ status: ['error', 'no-code', 'done'] });
          return;
        }
        const name = textOf(message, 'file');
        await withSession(message, owner, reply, async (place) =>
          evaluate(place, { source, name: name === '' ? 'repl' : visibleText(name), id: textOf(message, 'id') }, reply),
        );
      },
      'load-file': async (message, owner, reply) => {
        const source = message.get('file');
        if (typeof source !== 'string') {
          reply({ status: ['error', 'no-file', 'done'] });
          return;
        }
        const name = textOf(message, 'file-path') || textOf(message, 'file-name') || 'file';
        await withSession(message, owner, reply, async (place) =>
          evaluate(place, { source, name: visibleText(name), id: textOf(message, 'id') }, reply),
        );
      },
      interrupt: async (message, owner, reply) => {
        const place = await sessionOf(message, owner);
        if (typeof place === 'string') {
          reply({ status: ['error', place, 'done'] });
          return;
        }
        const wanted = textOf(message, 'interrupt-id');
        if (place.running === null) reply({ status: ['session-idle', 'done'] });
        else if (wanted !== '' && wanted !== place.running.id)
          reply({ status: ['error', 'interrupt-id-mismatch', 'done'] });
        else {
          place.running.abort.abort();
          reply({ status: ['done'] });
        }
      },
      completions: async (message, owner, reply) => complet(message, owner, reply),
      complete: async (message, owner, reply) => complet(message, owner, reply),
      lookup: async (message, owner, reply) =>
        look(message, owner, reply, (found) =>
          found === null
            ? { status: ['error', 'lookup-error', 'done'] }
            : { info: { ...namesOf(found), 'arglists-str': found.arglists, doc: found.doc }, status: ['done'] },
        ),
      info: async (message, owner, reply) =>
        look(message, owner, reply, (found) =>
          found === null
            ? { status: ['no-info', 'done'] }
            : { ...namesOf(found), 'arglists-str': found.arglists, doc: found.doc, status: ['done'] },
        ),
      eldoc: async (message, owner, reply) =>
        look(message, owner, reply, (found) =>
          found === null || found.arglists === ''
            ? { status: ['no-eldoc', 'done'] }
            : {
                ...namesOf(found),
                eldoc: argumentLists(found.arglists),
                docstring: found.doc,
                type: 'function',
                status: ['done'],
              },
        ),
    };

  async function withSession(
    message: ReadBencodeMap,
    owner: object,
    reply: Reply,
    work: (place: OpenSession) => Promise<void>,
  ): Promise<void> {
    const place = await sessionOf(message, owner);
    if (typeof place === 'string') {
      reply({
        err: `${visibleText(place)}\n`,
        status: ['error', place === 'unknown-session' ? place : 'session-refused', 'done'],
      });
      return;
    }
    await inTurn(place, reply, async () => work(place));
  }

  async function complet(message: ReadBencodeMap, owner: object, reply: Reply): Promise<void> {
    const prefix = textOf(message, 'prefix') || textOf(message, 'symbol');
    await withSession(message, owner, reply, async ({ session }) => {
      const [words] = await complete(prefix, session, []);
      reply({ completions: words.map((candidate) => ({ candidate })), status: ['done'] });
    });
  }

  async function look(
    message: ReadBencodeMap,
    owner: object,
    reply: Reply,
    answer: (found: Documented | null) => BencodeMap,
  ): Promise<void> {
    const name = textOf(message, 'sym') || textOf(message, 'symbol');
    await withSession(message, owner, reply, async ({ session }) => {
      const text = NAME.test(name) ? await session.documentation(name) : null;
      reply(answer(text === null ? null : documented(visibleLines(text))));
    });
  }

  return {
    handle: async (message, owner, reply) => {
      const [id, session] = [textOf(message, 'id'), textOf(message, 'session')];
      const answer: Reply = (words) => {
        reply({ ...words, ...(id === '' ? {} : { id }), ...(session === '' ? {} : { session }) });
      };
      const name = textOf(message, 'op');
      const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
      if (operation === undefined) answer({ op: visibleText(name), status: ['error', 'unknown-op', 'done'] });
      else await operation(message, owner, answer);
    },
    leave: async (owner) => {
      closedClients.add(owner);
      for (const place of sessions.values()) if (place.owner === owner) place.running?.abort.abort();
      const opened = await nameless.get(owner);
      nameless.delete(owner);
      if (opened !== undefined && typeof opened !== 'string') await end(opened);
    },
    close: async () => {
      const others = await Promise.all(nameless.values());
      const all = [...sessions.values(), ...others.filter((place) => typeof place !== 'string')];
      sessions.clear();
      nameless.clear();
      await Promise.all(all.map(async (place) => end(place)));
    },
  };
}

function report(
  end: FormEnd,
  { name, namespace: ns }: { readonly name: string; readonly namespace: string },
  reply: Reply,
): void {
  if (end.prints.length > 0) reply({ out: end.prints.map((line) => `${visibleLines(line)}\n`).join('') });
  if (end.recovered !== null) reply({ err: recoveryText(end.recovered) });
  if (end.kind === 'value') {
    reply({ ns, value: visibleLines(end.text) });
    return;
  }
  reply({ err: errorText(end.error, name) });
  reply({ ex: end.error.kind, 'root-ex': end.error.kind, ns, status: ['eval-error'] });
}

/** The documentation of a name, as `doc` prints it. */
interface Documented {
  readonly name: string;
  readonly namespace: string;
  /** As it is printed; empty for what is no function. */
  readonly arglists: string;
  readonly doc: string;
}

/** Null where nothing is known of it. */
function documented(text: string): Documented | null {
  const [head = '', ...rest] = text.split('\n');
  if (head.startsWith('No documentation for ')) return null;
  const slash = head.indexOf('/', 1);
  const hasArguments = rest[0]?.startsWith('(') === true;
  const doc = rest.slice(hasArguments ? 1 : 0).map((line) => line.trim());
  return {
    name: head.slice(slash + 1),
    namespace: slash === -1 ? '' : head.slice(0, slash),
    arglists: hasArguments ? (rest[0] ?? '').slice(1, -1) : '',
    doc: doc.join('\n').trim(),
  };
}

function namesOf({ name, namespace }: Documented): BencodeMap {
  return { name, ns: namespace };
}

/** `[f coll] [f & colls]` as lists of names. */
function argumentLists(text: string): readonly BencodeValue[] {
  return [...text.matchAll(/\[([^\][]*)\]/g)].map(([, names = '']) => names.split(' ').filter((name) => name !== ''));
}

function textOf(message: ReadBencodeMap, key: string): string {
  const value: ReadBencode | undefined = message.get(key);
  return typeof value === 'string' && (value.length <= MOST_ID || key.startsWith('file')) ? value : '';
}
