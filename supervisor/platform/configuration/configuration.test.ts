import { expect } from 'chai';
import * as fc from 'fast-check';
import { loadConfiguration } from './configuration.ts';
import { settingsTable } from './settings-table.ts';
import { DEFAULTS, SETTINGS } from './settings.ts';

describe('configuration of the process', () => {
  it('is the defaults without variables, and for empty ones', async () => {
    expect(await loadConfiguration({ HOME: '/root', SVC_OUTPUT: 'json' })).to.deep.equal({
      ok: true,
      configuration: DEFAULTS,
    });
    expect(await loadConfiguration({ SVC_LOG_LEVEL: '' })).to.deep.equal({ ok: true, configuration: DEFAULTS });
  });

  it('takes every variable', async () => {
    const environment = {
      SVC_ISOLATES_PER_HOST: '8',
      SVC_RUNTIME_DIR: '/opt/svc',
      SVC_BUNDLE_CACHE: 'off',
      SVC_CACHE_DIR: '/var/cache',
      SVC_LOG_LEVEL: 'debug',
    };
    expect(await loadConfiguration(environment)).to.deep.equal({
      ok: true,
      configuration: {
        isolatesPerHost: 8,
        runtimeDirectory: '/opt/svc',
        bundleCache: 'off',
        cacheDirectory: '/var/cache',
        logLevel: 'debug',
      },
    });
  });

  for (const [variable, value] of [
    ['SVC_ISOLATES_PER_HOST', '8x'],
    ['SVC_ISOLATES_PER_HOST', '0'],
    ['SVC_ISOLATES_PER_HOST', '257'],
    ['SVC_ISOLATES_PER_HOST', '1e2'],
    ['SVC_ISOLATES_PER_HOST', ' 8'],
    ['SVC_RUNTIME_DIR', 'dist'],
    ['SVC_RUNTIME_DIR', '/a\0b'],
    ['SVC_LOG_LEVEL', 'DEBUG'],
    ['SVC_BUNDLE_CACHE', 'no'],
    ['SVC_CACHE_DIR', 'cache'],
  ] as const) {
    it(`refuses ${variable}=${JSON.stringify(value)} by name and rule`, async () => {
      const result = await loadConfiguration({ [variable]: value });
      expect(result).to.deep.include({ ok: false });
      expect(result.ok ? '' : result.message).to.match(
        new RegExp(`^the environment variable ${variable} must be [^\\n]+$`),
      );
    });
  }

  it('never throws, and never tells a value', async () => {
    const variables = Object.values(SETTINGS).map(({ variable }) => variable);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...variables), fc.string({ unit: 'binary' }), async (variable, text) => {
        const result = await loadConfiguration({ [variable]: `ẞ${text}` });
        expect(result.ok ? '' : result.message).not.to.include('ẞ');
      }),
    );
  });

  it('is documented by one table', () => {
    for (const { variable, meaning } of Object.values(SETTINGS))
      expect(settingsTable()).to.include(variable).and.include(meaning);
  });
});
