import { collectedBytes } from '../../http/collected-bytes.ts';
import type { DialTools } from '../../http/dial.ts';
import { exchangeOnce } from '../../http/single-exchange.ts';
import type { NotOpened } from '../exchanged.ts';
import { CLIENT } from '../protocol/revision.ts';
import { DOCUMENT_BYTES } from './document-bytes.ts';
import { HTTP_FAULTS } from '../http/http-faults.ts';

export type FetchedDocument =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** `status`: of a server that has none; null where nobody answered; `said`: what happened then, null for nothing. */
  | (NotOpened & { readonly ok: false; readonly status: number | null });

/** Asks for a document, with no credential; no redirect is followed. Never rejects. */
export async function fetchDocument(url: string, signal: AbortSignal, tools: DialTools): Promise<FetchedDocument> {
  const body = collectedBytes(DOCUMENT_BYTES);
  let [status, isOver] = [0, false];
  const end = await exchangeOnce(
    {
      url: new URL(url),
      method: 'GET',
      headers: {
        accept: 'application/json, application/yaml;q=0.9, */*;q=0.5',
        'accept-encoding': 'identity',
        'user-agent': `${CLIENT.name}/${CLIENT.version}`,
      },
      body: null,
      signal,
      admits: null,
    },
    {
      head: (code) => {
        status = code;
        return code === 200;
      },
      data: (piece) => {
        isOver = !body.add(piece);
        return !isOver;
      },
    },
    tools,
  );
  if (!end.ok) return { ok: false, fault: HTTP_FAULTS[end.fault], status: null, said: end.said };
  if (status !== 200) return { ok: false, fault: 'unanswered', status, said: null };
  if (isOver || !end.isWhole) return { ok: false, fault: isOver ? 'oversize' : 'unanswered', status: null, said: null };
  return { ok: true, bytes: body.bytes() };
}
