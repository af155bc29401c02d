import type { JsonObject } from '../../../../contract/json/value.ts';
import type { Showing, ShownAttempt } from '../../../../contract/viewer-answers.ts';
import { answer, type Answer } from '../answer.ts';
import type { CallRecords } from '../evidence/evidence-index.ts';
import { readPayload, type RunEvidence } from '../evidence/run-evidence.ts';
import { members } from '../members.ts';

/** Each attempt of a call (evidence.md §6); undefined for one that was answered at once, which has no records of it. */
export async function attemptItems(
  evidence: RunEvidence,
  { attempts }: Pick<CallRecords, 'attempts'>,
): Promise<Answer<readonly JsonObject[] | undefined>> {
  const items: JsonObject[] = [];
  for (const entry of attempts) {
    const payload = await readPayload(evidence, entry);
    if (!payload.ok) return payload;
    items.push(
      members({
        attempt: payload.value.get('attempt'),
        outcome: payload.value.get('outcome'),
        waited_ms: payload.value.get('waited_ms'),
        http_status: payload.value.get('http_status'),
        said: payload.value.get('said'),
      } satisfies Showing<ShownAttempt>),
    );
  }
  return answer(items.length === 0 ? undefined : items);
}
