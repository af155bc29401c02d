/**
 * Writes the guest image of a file, made again for this platform, to standard output. Started with the permissions of a
 * sandbox host by who keeps what it writes (sandbox/pool/image-here.ts).
 */
import { createHash } from 'node:crypto';
import { encodeGuestImage, remakeGuestImage } from './snapshot.ts';

const [, , file] = process.argv;
if (file === undefined) throw new Error('usage: remake-image <guest image>');

async function write(image: string): Promise<void> {
  const guests = await remakeGuestImage(image);
  process.stdout.write(
    encodeGuestImage(guests, (parts) =>
      parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex'),
    ),
  );
}
void write(file);
