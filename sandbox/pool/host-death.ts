import type { HostExit } from './host-process.ts';

/**
 * Who ended a host that nobody here ended: itself (`own`), somebody else (`outside`), or one of both, which nothing
 * distinguishes (`unsure`). A host that exits by itself is `own` too; what lacks a thread that the machine does not
 * give is `outside`.
 */
export type HostDeath = 'own' | 'outside' | 'unsure';

/** Instructions by which V8 ends its process, sometimes without a word. */
const INSTRUCTIONS: ReadonlySet<NodeJS.Signals> = new Set(['SIGTRAP', 'SIGILL']);
/** Of a fault in memory, which the system raises without a word, and of anyone who sends the same signal. */
const FAULTS: ReadonlySet<NodeJS.Signals> = new Set(['SIGSEGV', 'SIGBUS']);

/** What node and the C++ library say where the system gives no thread. */
const NO_THREAD = /Resource temporarily unavailable|(?:uv_thread|pthread)_create/;

/** `stderr`: what it wrote; V8, node and the C library say why before they abort. */
export function hostDeath({ signal }: HostExit, stderr: string): HostDeath {
  if (signal === null || INSTRUCTIONS.has(signal)) return 'own';
  if (signal === 'SIGABRT') return stderr === '' || NO_THREAD.test(stderr) ? 'outside' : 'own';
  return FAULTS.has(signal) ? 'unsure' : 'outside';
}
