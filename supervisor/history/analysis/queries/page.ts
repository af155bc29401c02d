import { canonicalJson } from '../../../../contract/json/canonical.ts';
import type { JsonObject, JsonValue } from '../../../../contract/json/value.ts';
import type { Showing, ShownRunsPage } from '../../../../contract/viewer-answers.ts';
import { answer, refuseQuery, type Answer } from '../answer.ts';
import { members } from '../members.ts';
import { cursorAt, positionOf, type CursorBinding } from './cursor.ts';
import type { CutValue } from './cut-value.ts';

/** Everything that matches, in its order; an item is made when it is asked for. */
export interface Matches {
  readonly count: number;
  item(index: number): Promise<Answer<JsonObject>> | Answer<JsonObject>;
}

export interface PageRequest {
  readonly matches: Matches;
  readonly limit: number;
  readonly cursor: string | null;
  readonly binding: CursorBinding;
  /** Canonical bytes of the whole answer. */
  readonly bytes: number;
  /** What the page says beside its items. */
  readonly beside: Readonly<Record<string, JsonValue | undefined>>;
  /** For an item that does not fit an answer by itself; absent: `result_limit_exceeded`. */
  readonly cut?: CutValue | undefined;
}

/** The longest run of items that fits the limit and the size; `result_limit_exceeded` where not even one does. */
export async function pageOf({
  matches,
  limit,
  cursor,
  binding,
  bytes,
  beside,
  cut,
}: PageRequest): Promise<Answer<JsonObject>> {
  const position = cursor === null ? answer(0) : positionOf(cursor, binding);
  if (!position.ok) return position;
  const start = position.value;
  if (start > matches.count) return refuseQuery('invalid_query');
  const build = (items: readonly JsonObject[]): JsonObject => {
    const end = start + items.length;
    const omitted = matches.count - end;
    return members({
      ...beside,
      items,
      next_cursor: omitted > 0 ? cursorAt(end, binding) : null,
      truncated: omitted > 0,
      omitted_count: omitted,
      snapshot_hash: binding.snapshotHash,
    } satisfies Showing<Pick<ShownRunsPage, 'items' | 'next_cursor' | 'omitted_count'>>);
  };
  // As if more were left: a page with the last item is never larger than that.
  const frame = sizeOf(
    members({
      ...beside,
      items: [],
      next_cursor: cursorAt(start, binding),
      truncated: false,
      omitted_count: matches.count,
      snapshot_hash: binding.snapshotHash,
    }),
  );
  const items: JsonObject[] = [];
  let used = frame;
  for (let index = start; index < matches.count && items.length < limit; index += 1) {
    const found = await matches.item(index);
    if (!found.ok) return found;
    const isAlone = items.length === 0 && frame + sizeOf(found.value) + 1 > bytes;
    const item = isAlone && cut !== undefined ? cut(found.value, bytes - frame - 1) : found.value;
    used += sizeOf(item) + 1;
    if (used > bytes) break;
    items.push(item);
  }
  const isStuck = items.length === 0 && start < matches.count;
  return isStuck || frame > bytes ? refuseQuery('result_limit_exceeded') : answer(build(items));
}

/** An answer that is no page, as far as it fits. */
export function whole(value: JsonObject, bytes: number, cut?: CutValue): Answer<JsonObject> {
  const fitting = cut !== undefined && sizeOf(value) > bytes ? cut(value, bytes) : value;
  return sizeOf(fitting) > bytes ? refuseQuery('result_limit_exceeded') : answer(fitting);
}

function sizeOf(value: JsonValue): number {
  return Buffer.byteLength(canonicalJson(value));
}
