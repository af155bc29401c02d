import type { RunRecord } from '../data.ts';

/**
 * One run as one file that needs no network: this very page with the record in it, which admits no script but its own.
 */
export async function exportFile(record: RunRecord): Promise<string> {
  const [script, style] = await Promise.all([textOf('script[src]', 'src'), textOf('link[rel="stylesheet"]', 'href')]);
  // Nothing in a script may look like the end of one.
  const code = script.replaceAll(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');
  const policy = `default-src 'none'; script-src '${await hashOf(code)}'; style-src '${await hashOf(style)}'; base-uri 'none'; form-action 'none'`;
  const data = JSON.stringify(record)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>svc run ${record.run.run_id}${record.privacy.kind === 'open' ? ' (private)' : ''}</title>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<script type="application/json" id="svc-export">${data}</script>
<script type="module">${code}</script>
</body>
</html>
`;
}

async function textOf(selector: string, attribute: 'src' | 'href'): Promise<string> {
  const address = document.querySelector(selector)?.getAttribute(attribute);
  if (address === undefined || address === null) throw new Error('this page cannot be exported');
  return (await fetch(address)).text();
}

async function hashOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}
