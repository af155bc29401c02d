/** Whether this program supports what it runs on (providers.md §12). */
export function runtimeSupport({
  nodeVersion,
  platform,
}: {
  readonly nodeVersion: string;
  readonly platform: string;
}): 'supported' | 'unsupported' {
  const isSupported = nodeVersion.split('.')[0] === NODE_MAJOR && PLATFORMS.has(platform);
  return isSupported ? 'supported' : 'unsupported';
}

/** Isolates are an addon, made for this version. */
const NODE_MAJOR = '24';
const PLATFORMS: ReadonlySet<string> = new Set(['linux', 'darwin']);
