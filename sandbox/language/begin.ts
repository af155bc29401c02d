import type { BranchRequest, EvaluateRequest } from '../../contract/sandbox-protocol.ts';
import { guards, limits } from '../runtime/errors.ts';
import { errorOfMessage } from './last-error.ts';
import { bindings } from '../runtime/dynamic.ts';
import { endUnwinding } from '../runtime/unwinding.ts';
import { endBindings } from './link/bindings.ts';
import { grantedData } from './link/data.ts';
import type { Session } from './link/session.ts';

/** Gives a session what one evaluation may use, and forgets what the last one left behind except its definitions. */
export function begin(session: Session, request: EvaluateRequest | BranchRequest): void {
  session.environment = request.environment;
  session.data = grantedData(request.data);
  session.tools = new Set(request.tools);
  session.limits.loops = request.loop_iterations ?? Number.MAX_SAFE_INTEGER;
  session.mayBranch = request.branches === true;
  const lastError = request.operation === 'evaluate' ? request.last_error : undefined;
  session.keepsError = lastError !== undefined;
  if (lastError !== undefined && lastError !== 'living')
    session.lastError = lastError === null ? null : errorOfMessage(lastError.message);
  session.prints.take();
  session.lastReply = undefined;
  session.limitBefore = limits.last;
  if (bindings.frames.length > 0) endBindings(0);
  guards.depth = 0;
  endUnwinding();
}
