import { expect } from 'chai';
import type { ProxySettings } from '../../contract/provider-protocol/network.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { hopTo, proxySecrets } from './proxy.ts';

const settings = (url: string, more: Partial<ProxySettings> = {}): ProxySettings => ({
  url,
  login: null,
  exceptions: null,
  ...more,
});
const to = (url: string, proxy: ProxySettings | null) => hopTo(new URL(url), proxy);
const basic = (login: string): string => `Basic ${Buffer.from(login).toString('base64')}`;

describe('the proxy that leads to a server (world.md §1.6)', () => {
  const rows: readonly (readonly [url: string, host: string, port: number, isSecure: boolean])[] = [
    ['http://proxy.example:3128', 'proxy.example', 3128, false],
    ['http://proxy.example/', 'proxy.example', 80, false],
    ['https://proxy.example', 'proxy.example', 443, true],
    ['proxy.example:3128', 'proxy.example', 3128, false],
    ['HTTP://Proxy.example:3128', 'proxy.example', 3128, false],
    ['http://[::1]:3128', '::1', 3128, false],
  ];
  for (const [url, host, port, isSecure] of rows) {
    it(`${url}: ${host} at ${String(port)}`, () => {
      expect(to('https://llm.example', settings(url))).to.include({ host, port, isSecure, authorization: null });
    });
  }

  it('is none without settings, of an exception, and of what is asked over plain HTTP, in this machine', () => {
    expect(to('https://llm.example', null)).to.equal(null);
    expect(to('https://llm.example', settings('http://p', { exceptions: 'llm.example' }))).to.equal(null);
    expect(to('https://llm.example:8443', settings('http://p', { exceptions: 'llm.example:8443' }))).to.equal(null);
    expect(to('http://127.0.0.1:11434', settings('http://p'))).to.equal(null);
  });

  it('gets the login of the host document, else the one in its address', () => {
    const authorizationFor = (proxy: ProxySettings) => to('https://llm.example', proxy)?.authorization;
    expect(authorizationFor(settings('http://p:1', { login: 'ann:s3cret' }))).to.equal(basic('ann:s3cret'));
    expect(authorizationFor(settings('http://ann:p%40ss@p:1'))).to.equal(basic('ann:p@ss'));
    expect(authorizationFor(settings('ann:p%zz@p:1'))).to.equal(basic('ann:p%zz'));
    expect(authorizationFor(settings('http://ann@p:1'))).to.equal(basic('ann:'));
  });

  it('keeps the login, and the password in it, from being told on', () => {
    expect(proxySecrets(settings('http://ann:p%40ssword@p:1'))).to.deep.equal(['ann:p@ssword', 'p@ssword']);
    expect(proxySecrets(settings('http://p:1', { login: 'ann:s3cret' }))).to.deep.equal(['ann:s3cret', 's3cret']);
    expect(proxySecrets(settings('http://ann@p:1'))).to.deep.equal(['ann:']);
    expect(proxySecrets(settings('http://p:1'))).to.deep.equal([]);
    expect(proxySecrets(null)).to.deep.equal([]);
  });

  for (const url of ['socks5://p:1080', 'http://', 'http://p:99999', '://']) {
    it(`${url} is none that can be spoken to`, () => {
      expect(() => to('https://llm.example', settings(url)))
        .to.throw(ProxyFailure)
        .with.property('words', 'the proxy of the environment has no address with http or https');
    });
  }
});
