/** Of a process that loads isolates: no inspector, by signal neither, no child processes, no files but its own; addons because isolated-vm is one. */
export const NODE_FLAGS: readonly string[] = ['--no-warnings', '--permission', '--allow-addons'];
