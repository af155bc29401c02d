import { expect } from 'chai';
import * as fc from 'fast-check';
import { loadConfiguration, type Variables } from './configuration.ts';
import { describeConfiguration } from './describe-configuration.ts';
import { settingsTable } from './settings-table.ts';
import { DEFAULTS, EVERY_SETTING, SETTINGS } from './settings.ts';

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
    const variables = Object.values(SETTINGS).map(({ env }) => env);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...variables), fc.string({ unit: 'binary' }), async (variable, text) => {
        const result = await loadConfiguration({ [variable]: `ẞ${text}` });
        expect(result.ok ? '' : result.message).not.to.include('ẞ');
      }),
    );
  });

  it('is documented by one table', () => {
    for (const { env, doc } of EVERY_SETTING) expect(settingsTable()).to.include(env).and.include(doc);
  });
});

describe('the configuration as it is described', () => {
  const of = async (variables: Variables, variable: string) =>
    (await describeConfiguration(variables)).find((setting) => setting.variable === variable);

  it('has every setting once, with its documentation, its rule and its default', async () => {
    const described = await describeConfiguration({});
    expect(described.map(({ variable }) => variable)).to.deep.equal(EVERY_SETTING.map(({ env }) => env));
    expect(new Set(described.map(({ variable }) => variable)).size).to.equal(described.length);
    for (const { meaning, accepts, source, valid, value, default: fallback } of described)
      expect({ source, valid, value, isDocumented: meaning !== '' && accepts !== '' }).to.deep.equal({
        source: 'default',
        valid: true,
        value: fallback,
        isDocumented: true,
      });
  });

  it('says what the environment sets', async () => {
    expect(await of({ SVC_ISOLATES_PER_HOST: '8' }, 'SVC_ISOLATES_PER_HOST')).to.deep.include({
      accepts: 'a whole number from 1 to 256',
      default: 32,
      value: 8,
      source: 'environment',
      valid: true,
    });
    expect(await of({ NO_COLOR: '' }, 'NO_COLOR')).to.deep.include({ value: null, source: 'default' });
  });

  it('says which value breaks its rule, and never that value', async () => {
    for (const { env } of Object.values(SETTINGS)) {
      const described = await of({ [env]: 'ẞ' }, env);
      expect(described).to.deep.include({ value: null, source: 'environment', valid: false });
      expect(JSON.stringify(described)).not.to.include('ẞ');
    }
  });

  it('never has a secret', async () => {
    const secrets = { SVC_VIEWER_TOKEN: 'ẞ'.repeat(32), SVC_VIEWER_URL: 'http://viewer/?token=ẞ' };
    expect(JSON.stringify(await describeConfiguration(secrets))).not.to.include('ẞ');
    for (const variable of Object.keys(secrets))
      expect(await of(secrets, variable)).to.deep.include({
        value: null,
        source: 'environment',
        secret: true,
        valid: true,
      });
  });
});
