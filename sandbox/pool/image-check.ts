import { readImageDigest } from './image-digest.ts';

const PREFIX_BYTES = 4;

/**
 * Says whether a guest image is not what its build wrote: it cannot be read, is none, or its parts have another SHA-256
 * than its header states. Never rejects. Reads all of it, some megabytes, once for each state of the file. The modules
 * it needs are loaded when it is asked, which hardly ever happens: before the first host's fork they take 3 ms.
 */
export function imageCheck(file: string): () => Promise<boolean> {
  let known: { readonly stamp: string; readonly isBroken: Promise<boolean> } | null = null;
  return async () => {
    const { stat } = await import('node:fs/promises');
    const stamp = await stat(file, { bigint: true }).then(
      ({ ino, size, mtimeNs }) => `${ino} ${size} ${mtimeNs}`,
      () => '',
    );
    if (known?.stamp !== stamp) known = { stamp, isBroken: isBroken(file) };
    return known.isBroken;
  };
}

async function isBroken(file: string): Promise<boolean> {
  try {
    const stated = readImageDigest(file);
    return stated === null || stated !== (await readDigestOfParts(file));
  } catch {
    return true;
  }
}

/** SHA-256 in hex of all that follows the header. */
async function readDigestOfParts(file: string): Promise<string> {
  const [{ createHash }, { open }] = await Promise.all([import('node:crypto'), import('node:fs/promises')]);
  const handle = await open(file, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(PREFIX_BYTES), 0, PREFIX_BYTES, 0);
    const hash = createHash('sha256');
    for await (const chunk of handle.createReadStream({
      start: PREFIX_BYTES + buffer.readUInt32BE(0),
      autoClose: false,
    }))
      hash.update(chunk);
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}
