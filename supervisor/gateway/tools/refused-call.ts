import type { RunRefused } from '../../service/embedding/types.ts';
import { RPC } from '../../../contract/mcp/rpc.ts';
import { renderJsonAnswer, type GatewayAnswer } from '../http/answers.ts';
import { rpcError } from '../protocol/rpc-error.ts';
import { argumentsRefused, tooLate, type Answering } from './outcome.ts';

/** The answer to a call whose run was refused: nothing ran. */
export function refusedCall({ code, diagnostic }: RunRefused, answering: Answering): GatewayAnswer {
  const { id } = answering;
  switch (code) {
    case 'input_invalid':
      return renderJsonAnswer(200, argumentsRefused(answering, diagnostic));
    case 'deadline_unreachable':
      return renderJsonAnswer(200, tooLate(answering));
    case 'queue_full':
    case 'tenant_quota':
      return rpcError(429, id, RPC.busy, { reason: 'run_capacity_exhausted' });
    case 'draining':
      return rpcError(503, id, RPC.unavailable, { reason: 'draining' });
    case 'unavailable':
      return rpcError(503, id, RPC.unavailable, { reason: 'tool_unavailable' });
    case 'tenant_unknown':
    case 'prepared_stale':
    case 'run_ref_conflict':
      return rpcError(500, id, RPC.internal);
  }
}
