import { closeSync, openSync, readFileSync, readdirSync } from 'node:fs';

/** One entry of a child's descriptors, as node takes it. */
export type ChildDescriptor = 'pipe' | 'ignore' | 'inherit' | number;

/** What every process has. */
const STANDARD = 3;
/** O_CLOEXEC of Linux: closed in whatever program a child becomes. */
const CLOSED_ON_EXECUTION = 0o2000000;
const FLAGS = 'flags:';

/**
 * Descriptors of this process that reach every child: those that its own parent left open (libuv closes them up to 16
 * alone), and what libraries open carelessly. Node's own are closed. None where the system has no list of them; macOS
 * closes them by itself.
 */
function inheritedDescriptors(): readonly number[] {
  try {
    const open = readdirSync('/proc/self/fd').map(Number);
    return open.filter((descriptor) => descriptor >= STANDARD && staysOpen(descriptor)).toSorted((a, b) => a - b);
  } catch {
    return [];
  }
}

function staysOpen(descriptor: number): boolean {
  let facts: string;
  try {
    facts = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1');
  } catch {
    // That of the list itself, closed by now.
    return false;
  }
  const start = facts.indexOf(FLAGS) + FLAGS.length;
  return (Number.parseInt(facts.slice(start, facts.indexOf('\n', start)), 8) & CLOSED_ON_EXECUTION) === 0;
}

/**
 * Starts a child with these descriptors and no others: the empty device is where another would reach it. `stdio` gets
 * them appended.
 */
export function withoutInherited<Started>(
  start: (closed: <Stdio extends ChildDescriptor[]>(stdio: Stdio) => Stdio) => Started,
): Started {
  const inherited = inheritedDescriptors();
  if (inherited.length === 0) return start((stdio) => stdio);
  const empty = openSync('/dev/null', 'r+');
  try {
    return start((stdio) => {
      const all: ChildDescriptor[] = stdio;
      for (const descriptor of inherited) {
        while (all.length < descriptor) all.push('ignore');
        if (all.length === descriptor) all.push(empty);
      }
      return stdio;
    });
  } finally {
    closeSync(empty);
  }
}
