import { connect, type Socket } from 'node:net';

type Sent = Readonly<Record<string, string>>;
export type NreplMessage = Readonly<Record<string, unknown>>;

/** A client of nREPL as editors are one: it writes and reads bencode by itself, and takes answers by their id. */
export class EditorClient {
  readonly #socket: Socket;
  readonly #answers = new Map<string, (message: NreplMessage) => void>();
  #buffered = Buffer.alloc(0);
  #ids = 0;

  static async connect(port: number): Promise<EditorClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new EditorClient(socket)));
      socket.once('error', reject);
    });
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#buffered = Buffer.concat([this.#buffered, chunk]);
      for (let read = readValue(this.#buffered, 0); read !== null; read = readValue(this.#buffered, 0)) {
        this.#buffered = this.#buffered.subarray(read.end);
        const { id, ...message } = Object(read.value);
        this.#answers.get(String(id))?.(message);
      }
    });
  }

  /** All answers to one message, without its id and session. */
  async ask(message: Sent, id?: string): Promise<readonly NreplMessage[]> {
    this.#ids += 1;
    const name = id ?? `message-${this.#ids}`;
    const answers: NreplMessage[] = [];
    return new Promise((resolve) => {
      this.#answers.set(name, (answer) => {
        const { session, ...rest } = answer;
        if (message['session'] !== undefined && session !== message['session']) throw new Error('another session');
        answers.push(rest);
        const { status } = rest;
        if (!Array.isArray(status) || !status.includes('done')) return;
        this.#answers.delete(name);
        resolve(answers);
      });
      const members = Object.entries({ ...message, id: name }).toSorted(([a], [b]) => (a < b ? -1 : 1));
      this.#socket.write(`d${members.map(([key, value]) => textOf(key) + textOf(value)).join('')}e`);
    });
  }

  /** The id of a new session. */
  async clone(): Promise<string> {
    const [answer] = await this.ask({ op: 'clone' });
    return String(answer?.['new-session']);
  }

  close(): void {
    this.#socket.destroy();
  }
}

function textOf(text: string): string {
  return `${Buffer.byteLength(text)}:${text}`;
}

/** Null where more bytes are needed. */
function readValue(bytes: Buffer, at: number): { readonly value: unknown; readonly end: number } | null {
  const kind = String.fromCharCode(bytes[at] ?? 0);
  if (at >= bytes.length) return null;
  if (kind === 'i') {
    const end = bytes.indexOf('e', at);
    return end === -1 ? null : { value: Number(bytes.toString('latin1', at + 1, end)), end: end + 1 };
  }
  if (kind === 'l' || kind === 'd') {
    const items: unknown[] = [];
    let next = at + 1;
    while (next < bytes.length && bytes[next] !== 0x65) {
      const item = readValue(bytes, next);
      if (item === null) return null;
      items.push(item.value);
      next = item.end;
    }
    if (next >= bytes.length) return null;
    const pairs = items.flatMap((item, nth) => (nth % 2 === 0 ? [[String(item), items[nth + 1]] as const] : []));
    return { value: kind === 'l' ? items : Object.fromEntries(pairs), end: next + 1 };
  }
  const colon = bytes.indexOf(':', at);
  if (colon === -1) return null;
  const end = colon + 1 + Number(bytes.toString('latin1', at, colon));
  return end > bytes.length ? null : { value: bytes.toString('utf8', colon + 1, end), end };
}
