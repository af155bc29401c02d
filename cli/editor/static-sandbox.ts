import type { CompileReply, ComponentSource, GuestReply, GuestRequest } from '../../contract/sandbox-protocol.ts';
import type { BundleChecker } from '../../sandbox/language/components/check-bundle.ts';
import type { Isolate, Sandbox } from '../../sandbox/pool/interface.ts';

/**
 * A compiler that runs nothing: it answers in this process what a guest would say of components, but for what their
 * initialisers would do. `onSet` is given each set that is compiled.
 */
export function staticSandbox(
  checker: BundleChecker,
  onSet: (components: readonly ComponentSource[]) => void,
): Sandbox {
  const isolate: Isolate = {
    async request<R extends GuestRequest>(request: R) {
      if (request.operation !== 'compile') throw new Error('an editor evaluates nothing');
      onSet(request.components);
      const reply = checker.check(request);
      if (!isReplyTo(request, reply)) throw new Error('a request to compile is answered by its result');
      return { status: 'replied', reply };
    },
    loadAndRequest: async () => Promise.reject(new Error('an editor loads nothing')),
    isUsable: () => true,
    dispose: async () => Promise.resolve(),
  };
  return {
    openIsolate: async () => Promise.resolve(isolate),
    endDomain: async () => Promise.resolve(),
    close: async () => Promise.resolve(),
  };
}

/** A request to compile is answered by its result, which its type parameter does not say. */
function isReplyTo<R extends GuestRequest>(request: R, _reply: CompileReply | GuestReply<R>): _reply is GuestReply<R> {
  return request.operation === 'compile';
}
