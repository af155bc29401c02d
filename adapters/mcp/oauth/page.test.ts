import { expect } from 'chai';
import type { OAuthCode } from './declaration.ts';
import { callbackPage, PAGE_HEADERS } from './page.ts';

const CODES: readonly OAuthCode[] = [
  'authorization_required',
  'authorization_rejected',
  'authentication_rejected',
  'authorization_unavailable',
  'connectivity_unavailable',
  'connectivity_rejected',
  'connectivity_protocol_error',
];
const refused = (code: OAuthCode, error: string | null = null, description: string | null = null): string =>
  callbackPage({ kind: 'refused', code, error, description });

describe('the page that a browser is left with (world.md §2.5)', () => {
  it('says what happened and what to do next, whatever the end', () => {
    for (const text of [
      callbackPage({ kind: 'authorised' }),
      callbackPage({ kind: 'misdirected' }),
      ...CODES.map((code) => refused(code)),
    ]) {
      expect(text).to.match(/<h1>[^<]+<\/h1>\n<p>[^<]+<\/p>\n<p>[^<]*close this page[^<]*<\/p>/);
      expect(text).not.to.match(/<script|javascript:|\son[a-z]+=/i);
    }
  });

  it('shows the words of an authority as text alone, and not all of too many', () => {
    const text = refused('authorization_rejected', 'access_denied', `<img src=x onerror="a('&')">${'é'.repeat(600)}`);
    expect(text).to.include('access_denied: &lt;img src=x onerror=&quot;a(&#39;&amp;&#39;)&quot;&gt;éé');
    expect(text.match(/é/g)?.length).to.be.lessThan(500);
    expect(refused('authorization_rejected', '\ud800')).to.include('says: \ufffd</p>');
  });

  it('runs nothing, and sends the address with its code nowhere', () => {
    const style = /<style>(.*?)<\/style>/s.exec(callbackPage({ kind: 'authorised' }))?.[1] ?? '';
    expect(style).not.to.include('url(');
    expect(PAGE_HEADERS['content-security-policy']).to.match(/^default-src 'none'; style-src 'sha256-/);
    expect(PAGE_HEADERS).to.deep.include({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
  });
});
