/**
 * Of a process that loads isolates: no inspector, by signal neither, no child processes, no files but its own; addons
 * because isolated-vm is one; no databases, which open files past these permissions, and nothing that opens connections
 * by itself.
 */
export const NODE_FLAGS: readonly string[] = [
  '--no-warnings',
  '--permission',
  '--allow-addons',
  '--disable-sigusr1',
  '--no-experimental-sqlite',
  '--no-experimental-websocket',
];
