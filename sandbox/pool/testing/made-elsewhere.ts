/** The image with the name of its platform exchanged for another of the same length. */
export function madeElsewhere(image: Buffer): Buffer {
  const headerBytes = image.readUInt32BE(0);
  const header = image.toString('utf8', 4, 4 + headerBytes).replace(/"platform":"./, '"platform":"~');
  return Buffer.concat([image.subarray(0, 4), Buffer.from(header), image.subarray(4 + headerBytes)]);
}
