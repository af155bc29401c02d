import { expect } from 'chai';
import { cacheFolder, grantsFolder } from './cache-folder.ts';
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

describe('folder of what a user granted', () => {
  const home = { HOME: '/home/me', XDG_STATE_HOME: '/state' };
  const cases = [
    ['the setting before everything', { ...home, SVC_GRANTS_DIR: '/set' }, '/set'],
    ['none where the setting is relative: another one is not what was meant', { ...home, SVC_GRANTS_DIR: 'set' }, null],
    ['the environment', home, '/state/svc/grants'],
    ['the home directory', { HOME: '/home/me' }, '/home/me/.local/state/svc/grants'],
    [
      'the home directory, where the environment names a relative folder',
      { ...home, XDG_STATE_HOME: 'state' },
      '/home/me/.local/state/svc/grants',
    ],
    ['none without a home', {}, null],
    ['none with an empty home', { HOME: '' }, null],
  ] as const;
  for (const [title, environment, expected] of cases) {
    it(title, () => {
      expect(grantsFolder(environment)).to.equal(expected);
    });
  }
});
