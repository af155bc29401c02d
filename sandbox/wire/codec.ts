import type { HeapFigure } from '../../contract/sandbox-protocol.ts';
import type { Frame } from './frames.ts';
import {
  type Answer,
  ENDINGS,
  type Ended,
  type FromHost,
  MAX_ARGUMENTS_LENGTH,
  MAX_NAME_LENGTH,
  type Question,
  type Replied,
  type ToHost,
  type Unreadable,
} from './messages.ts';

/**
 * Messages as frames. A frame's header is a few words with one space between, its body is the one long text:
 *
 * | Message | Channel | Header | Body |
 * |---|---|---|---|
 * | open | host | `<id> open <isolate> <environment> <heap words>` | |
 * | request | host | `<id> request <isolate> <milliseconds> <units of the load>`, perhaps ` heap` | load and request |
 * | heap_use, dispose | host | `<id> heap_use <isolate>`, `<id> dispose <isolate>` | |
 * | call_answer | broker | `<isolate>` | the answer |
 * | every answer | host | `<id>`, of a reply perhaps `<id> <heap>` | the answer |
 * | call | broker | `<isolate> <name>` | the arguments |
 *
 * The body of an answer is `opened`, `r` and the reply, `l` and what the load came to, an ending, a percentage, or
 * nothing.
 * A heap is `<observed words>/<baseline words>`.
 *
 * What decodes to null was sent by no honest side.
 */

const REPLIED = 'r';
const NOT_LOADED = 'l';
const OPENED = 'opened';
const HEAP = 'heap';
/** Whole numbers that lose nothing as a `number`. */
const COUNT = /^(?:0|[1-9]\d{0,15})$/;

export function encodeToHost(message: ToHost): Frame {
  const { type, isolate } = message;
  switch (type) {
    case 'call_answer':
      return { channel: 'broker', header: isolate, body: message.answer };
    case 'open': {
      const { environment, heapWords } = message;
      return { channel: 'host', header: `${message.id} open ${isolate} ${environment} ${heapWords}`, body: '' };
    }
    case 'request': {
      const { timeoutMs, load, text, wantsHeap } = message;
      const header = `${message.id} request ${isolate} ${timeoutMs} ${load.length}${wantsHeap ? ` ${HEAP}` : ''}`;
      return { channel: 'host', header, body: load + text };
    }
    case 'heap_use':
    case 'dispose':
      return { channel: 'host', header: `${message.id} ${type} ${isolate}`, body: '' };
  }
}

export function decodeToHost({ channel, header, body }: Frame): ToHost | null {
  if (channel === 'broker') return { type: 'call_answer', isolate: header, answer: body };
  const [first, ...words] = header.split(' ');
  const id = parseId(first);
  const question = decodeQuestion(words, body);
  return id === null || question === null ? null : { ...question, id };
}

function decodeQuestion([type, isolate, ...words]: readonly string[], body: string): Question | null {
  if (isolate === undefined) return null;
  const [first, second, wish, ...further] = words;
  const count = parseCount(second);
  if ((type === 'heap_use' || type === 'dispose') && first === undefined) return { type, isolate };
  if (count === null || further.length > 0) return null;
  if (type === 'open' && wish === undefined && (first === 'workflow' || first === 'mission')) {
    return { type, isolate, environment: first, heapWords: count };
  }
  const timeoutMs = parseCount(first);
  if (type !== 'request' || timeoutMs === null || count > body.length) return null;
  const wantsHeap = wish === HEAP;
  if (wish !== undefined && !wantsHeap) return null;
  return { type, isolate, timeoutMs, load: body.slice(0, count), text: body.slice(count), wantsHeap };
}

export function encodeFromHost(message: FromHost): Frame {
  if (message.type === 'call') {
    const { isolate, name, argumentsText } = message;
    return { channel: 'broker', header: `${isolate} ${name}`, body: argumentsText };
  }
  const { id } = message;
  const heap = message.type === 'replied' ? message.heap : null;
  return { channel: 'host', header: heap === null ? String(id) : `${id} ${heapText(heap)}`, body: answerText(message) };
}

function heapText({ observedWords, baselineWords }: HeapFigure): string {
  return `${observedWords}/${baselineWords}`;
}

function answerText(answer: Answer): string {
  switch (answer.type) {
    case 'opened':
      return OPENED;
    case 'replied':
      return REPLIED + answer.text;
    case 'not_loaded':
      return NOT_LOADED + answerText(answer.load);
    case 'ended':
      return answer.ending;
    case 'heap_use':
      return String(answer.percent);
    case 'disposed':
      return '';
  }
}

export function decodeFromHost({
  channel,
  header,
  body,
}: Frame): FromHost | (Unreadable & { readonly id: number }) | null {
  if (channel === 'broker') return decodeCall(header, body);
  const [first, figure, ...further] = header.split(' ');
  const id = parseId(first);
  if (id === null || further.length > 0) return null;
  const answer = decodeAnswer(body);
  if (figure === undefined) return { ...answer, id };
  const heap = parseHeap(figure);
  return heap === null || answer.type !== 'replied' ? null : { ...answer, heap, id };
}

function decodeCall(header: string, argumentsText: string): FromHost | null {
  // By places and not by an expression: calls are the commonest message. A name may hold anything.
  const space = header.indexOf(' ');
  if (space < 1) return null;
  const isolate = header.slice(0, space);
  const name = header.slice(space + 1);
  if (name.length > MAX_NAME_LENGTH || argumentsText.length > MAX_ARGUMENTS_LENGTH + 1) return null;
  return { type: 'call', isolate, name, argumentsText };
}

function decodeAnswer(text: string): Answer | Unreadable {
  const load = text.startsWith(NOT_LOADED) ? decodeOwnAnswer(text.slice(NOT_LOADED.length)) : null;
  if (load !== null) return load.type === 'unreadable' ? load : { type: 'not_loaded', load };
  if (text === OPENED) return { type: 'opened' };
  if (text === '') return { type: 'disposed' };
  const percent = parseCount(text);
  return percent === null ? decodeOwnAnswer(text) : { type: 'heap_use', percent };
}

/** What an isolate itself comes to. */
function decodeOwnAnswer(text: string): Replied | Ended | Unreadable {
  if (text.startsWith(REPLIED)) return { type: 'replied', text: text.slice(REPLIED.length), heap: null };
  const ending = Object.values(ENDINGS).find((each) => each === text);
  return ending === undefined ? { type: 'unreadable' } : { type: 'ended', ending };
}

function parseId(text: string | undefined): number | null {
  const id = parseCount(text);
  return id === 0 ? null : id;
}

function parseHeap(figure: string): HeapFigure | null {
  const [observed, baseline, ...further] = figure.split('/').map(parseCount);
  if (observed === undefined || observed === null || baseline === undefined || baseline === null) return null;
  return further.length > 0 ? null : { observedWords: observed, baselineWords: baseline };
}

function parseCount(text: string | undefined): number | null {
  if (text === undefined || !COUNT.test(text)) return null;
  const count = Number(text);
  return Number.isSafeInteger(count) ? count : null;
}
