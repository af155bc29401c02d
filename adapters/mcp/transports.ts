import type { ServerDeclaration } from './declaration.ts';
import { httpTransport, type HttpTarget } from './http/transport.ts';
import { stdioTransport, type StdioTarget } from './stdio/transport.ts';
import type { Prepared, PreparingTools, Transport } from './transport.ts';
import type { Unopened } from './refused.ts';

/** What can be opened: plain data, distinguished by `type`. */
export type Target = StdioTarget | HttpTarget;

type Declared = ServerDeclaration['transport'];
type Row<T extends Declared['type']> = Transport<
  Extract<Declared, { readonly type: T }>,
  Extract<Target, { readonly type: T }>
>;

const TRANSPORTS: { readonly [T in Declared['type']]: Row<T> } = {
  stdio: stdioTransport,
  streamable_http: httpTransport,
};

/** What is opened for a server, by its transport's row. */
export function prepare(declared: Declared, tools: PreparingTools): Promise<Prepared<Target> | Unopened> {
  return declared.type === 'stdio'
    ? TRANSPORTS.stdio.prepare(declared, tools)
    : TRANSPORTS.streamable_http.prepare(declared, tools);
}
