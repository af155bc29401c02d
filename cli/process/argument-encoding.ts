/**
 * Whether the arguments were UTF-8 (cli.md §1 rule 1). Node replaces what it cannot decode by U+FFFD, so only then the
 * bytes are asked of the system; where it does not report them, the replacement itself decides.
 */
export function argumentsAreUtf8(argv: readonly string[], readCommandLine: () => Uint8Array = commandLine): boolean {
  if (!argv.some((token) => token.includes('\uFFFD'))) return true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(readCommandLine());
    return true;
  } catch {
    return false;
  }
}

/** Not an import: see output.ts. */
function commandLine(): Uint8Array {
  return process.getBuiltinModule('node:fs').readFileSync('/proc/self/cmdline');
}
