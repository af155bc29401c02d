import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ADDON_PLATFORMS, addonFiles, prebuiltAddon } from './addon-files.ts';

const PREBUILDS = join(import.meta.dirname, '../../node_modules/isolated-vm/prebuilds');

/** Heads of executables: ELF with its machine, or Mach-O with its processor. */
const HEADS: Readonly<Record<(typeof ADDON_PLATFORMS)[number], (head: Buffer) => boolean>> = {
  'darwin-arm64': (head) => head.readUInt32LE(0) === 0xfeedfacf && head.readUInt32LE(4) === 0x0100000c,
  'linux-arm64': (head) => head.readUInt32BE(0) === 0x7f454c46 && head.readUInt16LE(18) === 183,
  'linux-x64': (head) => head.readUInt32BE(0) === 0x7f454c46 && head.readUInt16LE(18) === 62,
};

describe('the addon of a platform', () => {
  it('is one of two on Linux, tried in turn, and one elsewhere', () => {
    expect(addonFiles('linux-x64')).to.deep.equal(['linux-x64.glibc.node', 'linux-x64.musl.node']);
    expect(addonFiles('linux-arm64')).to.deep.equal(['linux-arm64.glibc.node', 'linux-arm64.musl.node']);
    expect(addonFiles('darwin-arm64')).to.deep.equal(['darwin-arm64.node']);
  });

  for (const platform of ADDON_PLATFORMS) {
    for (const file of addonFiles(platform)) {
      it(`${file} is what isolated-vm has for ${platform}`, async () => {
        const addon = await open(join(PREBUILDS, prebuiltAddon(platform, file)));
        const { buffer } = await addon.read(Buffer.alloc(20), 0, 20, 0);
        await addon.close();
        expect(HEADS[platform](buffer)).to.equal(true);
      });
    }
  }
});
