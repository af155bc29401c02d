import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { join } from 'node:path';
import { CERTIFICATES } from '../http/listen.ts';

export interface Visit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Page {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
}

/** One request of a browser that trusts the authority of the tests. */
export async function visit(address: string, { method = 'GET', headers = {}, body }: Visit = {}): Promise<Page> {
  const ca = await readFile(join(CERTIFICATES, 'authority.pem'), 'utf8');
  const sent = address.startsWith('https:')
    ? secureRequest(address, { method, headers, ca, agent: false })
    : plainRequest(address, { method, headers, agent: false });
  sent.end(body);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response ?? []) text += String(chunk);
  return { status: response?.statusCode ?? 0, location: response?.headers.location ?? null, text };
}

/** Where a person who agrees is sent back to. */
export async function agree(address: string): Promise<string> {
  const { status, location } = await visit(address);
  if (location === null) throw new Error(`nobody is sent back: status ${status}`);
  return location;
}
