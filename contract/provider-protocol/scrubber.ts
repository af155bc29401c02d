import type { Sliced } from '../json/sliced.ts';

/** What is put in the place of a credential. */
export const SCRUBBED = '[redacted]';
/** A form of fewer characters occurs in ordinary sentences too, and names nobody. */
const FORM_LENGTH_MIN = 4;
/** First characters of a form by which it is looked up, at most: their hash fills 32 bits, 4 for each. */
const PREFIX_LENGTH_MAX = 8;
/** Entries of the table of hashes: large enough that ordinary text hits few of them. */
const TABLE_SIZE = 65_536;

/**
 * Bytes of the least credential that is taken out of answers, which are data: a shorter one may be an ordinary word.
 */
export const ANSWER_SECRET_BYTES = 8;

/** A key pair of AWS, with a session's token if there is one: `ACCESS:SECRET[:TOKEN]`. */
export const KEY_PAIR = /^(A[A-Z0-9]{15,127}):([^:\s]+)(?::(\S+))?$/;

/** Texts of a credential that a server could repeat: the whole, and the parts of a pair, which travel apart. */
export function secretTexts(credential: string): readonly string[] {
  const parts = (KEY_PAIR.exec(credential) ?? []).slice(1);
  return [credential, ...parts.filter((part) => part !== undefined)];
}

/**
 * Takes credentials out of what servers say, in every form in which they repeat them: plain, within JSON, in a URL, in
 * hex, in base64. One pass over a text, however many credentials there are: a few nanoseconds a character.
 */
export class Scrubber {
  /** Forms by their first characters, the longest first. */
  readonly #byPrefix = new Map<string, readonly string[]>();
  readonly #table = new Uint8Array(TABLE_SIZE);
  readonly #prefixLength: number;
  /** Of the bits of a hash that the prefix has. */
  readonly #mask: number;

  /** `leastBytes`: shorter credentials are left. */
  constructor(secrets: Iterable<string>, leastBytes = 0) {
    const all = new Set([...secrets].filter((secret) => Buffer.byteLength(secret) >= leastBytes).flatMap(formsOf));
    const forms = [...all]
      .filter(({ length }) => length >= FORM_LENGTH_MIN)
      .toSorted((left, right) => right.length - left.length);
    this.#prefixLength = Math.min(PREFIX_LENGTH_MAX, ...forms.map(({ length }) => length));
    this.#mask = this.#prefixLength === PREFIX_LENGTH_MAX ? -1 : (1 << (4 * this.#prefixLength)) - 1;
    for (const form of forms) {
      const prefix = form.slice(0, this.#prefixLength);
      this.#byPrefix.set(prefix, [...(this.#byPrefix.get(prefix) ?? []), form]);
      let hash = 0;
      for (let at = 0; at < prefix.length; at += 1) hash = (hash << 4) ^ prefix.charCodeAt(at);
      this.#table[entryOf(hash & this.#mask)] = 1;
    }
  }

  /** Whether there is nothing to look for. */
  get isEmpty(): boolean {
    return this.#byPrefix.size === 0;
  }

  /** The same text where it holds no credential. */
  text(text: string): string {
    if (this.#isTooShort(text)) return text;
    const state = beginText();
    this.#scan(text, state, text.length);
    return finishText(text, state);
  }

  /** As `text`, of the end of a text: what is left of a form at its beginning goes too. */
  endText(text: string): string {
    const scrubbed = this.text(text);
    const left = this.#longestPart((form) => lengthAtStart(scrubbed, form));
    return left === 0 ? scrubbed : SCRUBBED + scrubbed.slice(left);
  }

  /** As `text`, of the beginning of a text: what is left of a form at its end goes too. */
  beginningText(text: string): string {
    const scrubbed = this.text(text);
    const left = this.#longestPart((form) => lengthAtEnd(scrubbed, form));
    return left === 0 ? scrubbed : scrubbed.slice(0, scrubbed.length - left) + SCRUBBED;
  }

  /** As `text`, in slices. A unit of its work is a unit of the text. */
  slicedText(text: string): Sliced<string> {
    if (this.#isTooShort(text)) return { advance: () => ({ result: text }) };
    const state = beginText();
    return {
      advance: (units) => {
        this.#scan(text, state, state.next + units);
        return state.next < text.length ? null : { result: finishText(text, state) };
      },
    };
  }

  #longestPart(lengthOf: (form: string) => number): number {
    return Math.max(0, ...[...this.#byPrefix.values()].flat().map(lengthOf));
  }

  #isTooShort(text: string): boolean {
    return this.isEmpty || text.length < this.#prefixLength;
  }

  #scan(text: string, state: TextState, to: number): void {
    const end = Math.min(text.length, to);
    const [table, mask, length] = [this.#table, this.#mask, this.#prefixLength];
    let { hash } = state;
    for (let last = state.next; last < end; last += 1) {
      hash = (hash << 4) ^ text.charCodeAt(last);
      if (table[entryOf(hash & mask)] === 0) continue;
      const at = last - length + 1;
      const form = this.#formAt(text, at);
      if (form === undefined || at + form.length <= state.done) continue;
      // What overlaps the form before it is part of the same gap.
      if (at >= state.done) state.scrubbed += text.slice(state.done, at) + SCRUBBED;
      state.done = at + form.length;
    }
    state.next = end;
    state.hash = hash;
  }

  #formAt(text: string, at: number): string | undefined {
    return at < 0
      ? undefined
      : this.#byPrefix.get(text.slice(at, at + this.#prefixLength))?.find((form) => text.startsWith(form, at));
  }
}

/** Characters at the beginning of a text that are the end of a form, and not all of it. */
function lengthAtStart(text: string, form: string): number {
  for (let length = Math.min(text.length, form.length - 1); length >= FORM_LENGTH_MIN; length -= 1)
    if (text.startsWith(form.slice(-length))) return length;
  return 0;
}

/** Characters at the end of a text that are the beginning of a form, and not all of it. */
function lengthAtEnd(text: string, form: string): number {
  for (let length = Math.min(text.length, form.length - 1); length >= FORM_LENGTH_MIN; length -= 1)
    if (text.endsWith(form.slice(0, length))) return length;
  return 0;
}

/** How far a text is scrubbed. */
interface TextState {
  next: number;
  /** Of the units before `next`. */
  hash: number;
  scrubbed: string;
  /** Everything before it is in `scrubbed`, or was a credential. */
  done: number;
}

function beginText(): TextState {
  return { next: 0, hash: 0, scrubbed: '', done: 0 };
}

function finishText(text: string, { scrubbed, done }: TextState): string {
  return done === 0 ? text : scrubbed + text.slice(done);
}

function entryOf(hash: number): number {
  return (hash ^ (hash >>> 16)) & (TABLE_SIZE - 1);
}

/**
 * As servers repeat texts: within JSON, once or twice; in a URL or a form; in hex; in base64, at whatever place in it
 * the text began.
 */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inUrl = encodeURIComponent(secret.toWellFormed());
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  const inHex = bytes.toString('hex');
  const inBase64 = [0, 1, 2].map((before) => base64After(bytes, before));
  return [
    secret,
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    inUrl,
    inUrl.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    inForm,
    inHex,
    inHex.toUpperCase(),
    bytes.toString('base64'),
    ...inBase64,
    ...inBase64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/** Without the symbols at its ends that hold bits of its neighbours. */
function base64After(bytes: Uint8Array, before: number): string {
  const behind = Buffer.concat([Buffer.alloc(before), bytes]);
  return behind.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((behind.length * 8) / 6));
}
