import type { HttpFault } from '../../http/single-exchange.ts';
import type { TransportFault } from '../exchanged.ts';

/** The fault of a transport for each fault of HTTP. */
export const HTTP_FAULTS: Readonly<Record<HttpFault, TransportFault>> = {
  unresolved: 'unresolved',
  denied: 'unanswered',
  refused: 'refused',
  tls: 'tls',
  proxy: 'unanswered',
  unconnected: 'unanswered',
  timeout: 'timeout',
  cancelled: 'cancelled',
  broken: 'unanswered',
};
