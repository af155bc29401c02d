import { isFunction } from '../invoke.ts';
import { Delay, Volatile } from '../values/atom.ts';
import { LazySeq } from '../values/lazy-seq.ts';
import { TextMatcher } from '../regex/text-matcher.ts';
import { LispMap } from '../values/map.ts';
import { Protocol } from '../values/protocol.ts';
import { MultiMethod } from '../values/multimethod.ts';
import { SharedCell } from '../values/shared-cell.ts';
import { Var } from '../values/var.ts';
import { Vector } from '../values/vector.ts';
import type { Decoding } from './decoding.ts';
import { STATES } from './tags.ts';

/**
 * Reads the content of something changeable, which `encodeContent` wrote, but for atoms: the decoder does those itself.
 */
export function fillContent(decoding: Decoding, holder: object): void {
  if (holder instanceof LazySeq) fillLazySeq(decoding, holder);
  else if (holder instanceof Delay) fillDelay(decoding, holder);
  else if (holder instanceof Volatile || holder instanceof SharedCell) holder.value = decoding.read();
  else if (holder instanceof Var) {
    holder.value = decoding.read();
    holder.meta = decoding.read();
  } else if (holder instanceof MultiMethod) {
    holder.methods = decoding.read();
    holder.preferences = decoding.read();
  } else if (holder instanceof Protocol) {
    const implementations = decoding.read();
    if (!(implementations instanceof LispMap)) return decoding.reader.fail('no implementations');
    holder.implementations = implementations;
  } else if (holder instanceof TextMatcher) fillMatcher(decoding, holder);
}

function fillDelay(decoding: Decoding, delay: Delay): void {
  const { reader } = decoding;
  const state = reader.unit();
  const value = decoding.read();
  if (state === STATES.waiting) {
    if (!isFunction(value)) return reader.fail('no function');
    delay.body = value;
    return;
  }
  delay.body = null;
  if (state === STATES.done) delay.value = value;
  else delay.failure = value;
}

/** Places that lie outside the text would be those of no match. */
function fillMatcher(decoding: Decoding, matcher: TextMatcher): void {
  const places = decoding.read();
  const from = decoding.read();
  const found = places instanceof Vector ? places.toArray().map(Number) : null;
  const { length } = matcher.text;
  const isSound = (place: unknown): place is number =>
    Number.isInteger(place) && Number(place) >= -1 && Number(place) <= length + 1;
  if (!isSound(from) || from < 0 || found?.every(isSound) === false) return decoding.reader.fail('no match');
  if (found !== null && found.length !== 2 * (matcher.groups + 1)) return decoding.reader.fail('no match');
  matcher.places = found;
  matcher.from = from;
}

const NO_CAPTURES: readonly unknown[] = [];

function fillLazySeq(decoding: Decoding, lazy: LazySeq): void {
  const { reader } = decoding;
  const state = reader.unit();
  if (state === STATES.waitingBody) {
    lazy.body = decoding.body(decoding.name());
    lazy.captures = decoding.items(reader.count());
    return;
  }
  const value = decoding.read();
  lazy.captures = NO_CAPTURES;
  if (state === STATES.waiting) {
    if (!isFunction(value)) return reader.fail('no function');
    lazy.body = value;
    return;
  }
  lazy.body = null;
  lazy.result = value;
  lazy.forced = state === STATES.done;
}
