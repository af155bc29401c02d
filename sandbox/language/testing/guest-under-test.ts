import type {
  CompileReply,
  ComponentSource,
  EvaluateReply,
  EvaluateRequest,
  GuestReply,
  GuestRequest,
} from '../../../contract/sandbox-protocol.ts';
import { createGuest, type Guest } from '../../guest/guest.ts';

/** A guest with typed requests, for tests. */
export interface GuestUnderTest {
  readonly evaluate: (source: string, options?: Partial<EvaluateRequest>) => EvaluateReply;
  readonly compile: (components: readonly ComponentSource[]) => CompileReply;
  readonly load: (code: string) => unknown;
}

/** As in an isolate (guest/lockdown.ts). */
Error.stackTraceLimit = 100;

export function guestUnderTest(callCapability: (text: string) => string = () => '{"reply":"closed"}'): GuestUnderTest {
  const guest: Guest = createGuest(callCapability);
  const ask = <R extends GuestRequest>(request: R): GuestReply<R> => JSON.parse(guest.handle(JSON.stringify(request)));
  return {
    evaluate: (source, options = {}) =>
      ask({
        operation: 'evaluate',
        environment: 'mission',
        source,
        data: {},
        tools: [],
        loop_iterations: null,
        projection: 'printed',
        ...options,
      }),
    compile: (components) => ask({ operation: 'compile', environment: 'workflow', components }),
    load: (code) => ask({ operation: 'load', code }),
  };
}

/** The printed value of a program, or the reason (and exception class) it ended with. */
export function outcomeOf(source: string, options: Partial<EvaluateRequest> = {}): string {
  const reply = guestUnderTest().evaluate(source, options);
  if (reply.outcome === 'evaluation_error') {
    const { reason, exception_class: name } = reply.fault;
    return name === null ? reason : `${reason}/${name.slice(name.lastIndexOf('.') + 1)}`;
  }
  if (reply.value === null) return `${reply.outcome} ${reply.projection_fault?.reason ?? ''}`;
  return reply.outcome === 'continued' ? reply.value : `${reply.outcome} ${reply.value}`;
}

/** One component without dependencies. */
export function component(id: string, source: string, dependencies: readonly string[] = []): ComponentSource {
  return { id, source, dependencies };
}
