import { isFunction } from '../invoke.ts';
import { Delay, Volatile } from '../values/atom.ts';
import { LazySeq } from '../values/lazy-seq.ts';
import { MultiMethod } from '../values/multimethod.ts';
import { SharedCell } from '../values/shared-cell.ts';
import { Var } from '../values/var.ts';
import type { Decoding } from './decoding.ts';
import { STATES } from './tags.ts';

/** Reads the content of something changeable, which `encodeContent` wrote, but for atoms: the decoder does those itself. */
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
  }
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
