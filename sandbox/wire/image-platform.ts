/**
 * What a guest image's snapshots depend on in addition to their scripts, as images name it: made elsewhere, V8 cannot
 * read them.
 */
export function imagePlatform(): string {
  return `${process.platform}-${process.arch}-v8-${process.versions.v8}`;
}
