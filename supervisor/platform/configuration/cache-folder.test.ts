import { expect } from 'chai';
import { cacheFolder } from './cache-folder.ts';
import { DEFAULTS } from './settings.ts';

describe('folder of caches', () => {
  const home = { HOME: '/home/me', XDG_CACHE_HOME: '/caches' };
  const cases = [
    ['the setting before everything', { ...DEFAULTS, cacheDirectory: '/set' }, home, '/set'],
    ['the environment', DEFAULTS, home, '/caches'],
    ['the home directory', DEFAULTS, { HOME: '/home/me' }, '/home/me/.cache'],
    [
      'the home directory, where the environment names a relative folder',
      DEFAULTS,
      { ...home, XDG_CACHE_HOME: 'caches' },
      '/home/me/.cache',
    ],
    [
      'the home directory, where the environment names nothing',
      DEFAULTS,
      { ...home, XDG_CACHE_HOME: '' },
      '/home/me/.cache',
    ],
    ['none without a home', DEFAULTS, {}, null],
    ['none with a relative home', DEFAULTS, { HOME: 'me' }, null],
    ['none when switched off', { ...DEFAULTS, bundleCache: 'off', cacheDirectory: '/set' }, home, null],
  ] as const;
  for (const [title, configuration, environment, expected] of cases) {
    it(title, () => {
      expect(cacheFolder(configuration, environment)).to.equal(expected);
    });
  }
});
