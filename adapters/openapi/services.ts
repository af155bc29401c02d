import type { ServerServices } from '../mcp/services.ts';
import type { ApiWorkers } from './workers.ts';

/** Who reads what APIs say, and who holds the sockets and the secrets. */
export interface ApiServices extends Pick<ServerServices, 'network'> {
  readonly workers: ApiWorkers;
}
