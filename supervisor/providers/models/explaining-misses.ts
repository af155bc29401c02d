import { isJsonObject } from '../../../contract/json/value.ts';
import type { CallAnswer } from '../../../contract/provider-protocol/call.ts';
import type { ProviderSession } from '../../../contract/provider-protocol/session.ts';
import { nearestTo, readRequests } from '../../../adapters/pool/replay-fixtures.ts';
import type { ReadOutcome } from '../../documents/safe-file.ts';
import type { MissedRequest } from '../source/installed-provider.ts';
import { parsedText } from '../adapter-json.ts';

/** Levels of a request that was admitted. */
const REQUEST_DEPTH = 64;

/**
 * The same session, of whose first miss people are shown which recorded request is nearest, where the requests are at
 * hand (`requests` reads their file; null without one). None of it changes an answer, or puts one off.
 */
export function explainUnmatchedRequests(
  session: ProviderSession,
  requests: () => Promise<ReadOutcome | null>,
  missed: (missed: MissedRequest) => void,
): ProviderSession {
  let explained: Promise<void> | null = null;
  const look = ({ outcome }: CallAnswer, requestText: string): void => {
    const requestHash = outcome.kind === 'error' ? (outcome.replayMiss?.requestHash ?? null) : null;
    if (requestHash !== null) explained ??= explain(requestText, requestHash, requests, missed);
  };
  return {
    ...session,
    serve: (request, side) => {
      const served = session.serve(request, side);
      return {
        ...served,
        answer: served.answer.then((answer) => {
          look(answer, request.arguments);
          return answer;
        }),
      };
    },
    close: async () => {
      await explained;
      await session.close();
    },
  };
}

async function explain(
  requestText: string,
  requestHash: string,
  requests: () => Promise<ReadOutcome | null>,
  missed: (missed: MissedRequest) => void,
): Promise<void> {
  const read = await requests();
  const request = parsedText(requestText, REQUEST_DEPTH);
  if (read?.ok !== true || !isJsonObject(request)) return;
  const search = nearestTo(request);
  for (const recorded of readRequests(read.file.bytes)) {
    search.compare(recorded);
    // Others of this process are not kept waiting.
    await new Promise(setImmediate);
  }
  const nearest = search.nearest();
  if (nearest !== null)
    missed({
      requestHash,
      nearestHash: nearest.requestHash,
      place: nearest.place,
      asked: nearest.asked,
      recorded: nearest.recorded,
    });
}
