import type { ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import type { JsonText } from '../../../contract/json/canonical.ts';
import { secretTexts } from '../../../contract/provider-protocol/scrubber.ts';
import type { OwnRequest } from '../authorise.ts';
import { converse } from '../converse.ts';
import type { ModelJob } from '../generate.ts';
import { readModelAnswer } from '../read-answer.ts';
import { routeOf } from '../route.ts';
import { openConnections } from '../transport.ts';
import type { WireChoice } from '../vendors.ts';
import { writeRequest } from '../write-request.ts';
import { SYSTEM_NETWORK } from '../../../contract/provider-protocol/network.ts';

export interface Asking {
  readonly selector: string;
  readonly wire?: WireChoice;
  /** Where a fake of the vendor is. */
  readonly baseUrl: string;
  readonly request: unknown;
  readonly declaration?: Partial<ModelJob['declaration']>;
  readonly outputTokens?: number;
  readonly credential?: string;
  /** Of a server of the operator's own. */
  readonly server?: OwnRequest;
}

/** One request to a fake vendor, through everything but the threads. */
export async function askVendor(asking: Asking): Promise<ProviderOutcome<JsonText>> {
  const route = routeOf(asking.selector, asking.wire);
  if (route === null) throw new Error('no route');
  const job: ModelJob = {
    route: { ...route, baseUrl: asking.baseUrl },
    declaration: {
      params: {},
      schemaMode: 'unsupported',
      cache: false,
      routing: null,
      guarantees: { tokens: true, cost: false },
      region: null,
      server: null,
      responseBytes: 1_000_000,
      prices: null,
      identity: 'sha256:1 r1',
      ...asking.declaration,
    },
    request: JSON.stringify(asking.request),
    outputLimit: { value: asking.outputTokens ?? 8192, bindings: ['application_limit'] },
  };
  const written = await writeRequest(job);
  if (!written.ok) return written.failure;
  const connections = openConnections(SYSTEM_NETWORK);
  const credential = asking.credential ?? 'sk-planted-0123456789';
  try {
    const { conversed } = await converse(written, {
      connections,
      credential,
      secrets: () => secretTexts(credential),
      wire: route.wire,
      region: job.declaration.region,
      server: asking.server ?? null,
      signal: new AbortController().signal,
      wall: () => Date.now(),
      openGate: async () => true,
    });
    return conversed.ok ? await readModelAnswer(job, conversed.body) : conversed.failure;
  } finally {
    await connections.destroy();
  }
}
