import { plainJson } from '../../../contract/mcp/plain-json.ts';

/** One whole answer of the gateway. */
export interface GatewayAnswer {
  readonly status: number;
  /** Beside those of every answer; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; empty: no body. */
  readonly body: string | Uint8Array;
  /** Whether the socket is of no further use. */
  readonly closes: boolean;
}

/** Bytes of one answer (gateway.md §2). */
export const GATEWAY_ANSWER_BYTES = 4_194_304;

export function renderJsonAnswer(
  status: number,
  body: string | Uint8Array,
  { headers = {}, closes = false }: Partial<Pick<GatewayAnswer, 'headers' | 'closes'>> = {},
): GatewayAnswer {
  return { status, headers, body, closes };
}

/** A refusal before the protocol is spoken: one closed word. */
export function refuseHttp(
  status: number,
  word: string,
  more: Partial<Pick<GatewayAnswer, 'headers' | 'closes'>> = {},
): GatewayAnswer {
  return renderJsonAnswer(status, plainJson({ error: word }), more);
}

/** An answer without a body. */
export function bare(status: number, headers: Readonly<Record<string, string>> = {}): GatewayAnswer {
  return { status, headers, body: '', closes: false };
}
