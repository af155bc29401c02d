/** Platforms, by node's names, for which the package carries the addon of isolated-vm. */
export const ADDON_PLATFORMS = ['darwin-arm64', 'linux-arm64', 'linux-x64'] as const;

/**
 * Files of `dist/native` that may hold the addon for a platform, in the order in which they are tried: Linux has two C
 * libraries.
 */
export function addonFiles(platform: string): readonly string[] {
  return platform.startsWith('linux-') ? [`${platform}.glibc.node`, `${platform}.musl.node`] : [`${platform}.node`];
}

/** Where isolated-vm keeps the addon that becomes one of these files, for the ABI of Node 24. */
export function prebuiltAddon(platform: string, file: string): string {
  return `${platform}/isolated-vm.abi137${file.slice(platform.length)}`;
}
