import { expect } from 'chai';
import type { BuiltPage } from '../documentation.ts';
import { renderPage } from './render-page.ts';

const rendered = (source: string, name: BuiltPage['name'] = 'testing') =>
  renderPage({ name, part: 'guides', group: '', file: 'docs/guides/testing.md', title: 'T', source, content: source });

describe('a page of the site (first-day.md §5)', () => {
  it('shows tags of an author as text, in prose, code and titles', () => {
    const hostile = '<script>globalThis.struck = 1</script>';
    for (const source of [
      `# ${hostile}`,
      hostile,
      `\`${hostile}\``,
      `\`\`\`\n${hostile}\n\`\`\``,
      `\`\`\`json\n${hostile}\n\`\`\``,
      `| a |\n|---|\n| ${hostile} |`,
    ]) {
      const { html } = rendered(source);
      expect(html, source).not.to.include('<script');
      expect(html, source).to.include('&lt;');
    }
    expect(rendered('[x](javascript:alert(1)) ![x](javascript:alert(1))').html).not.to.match(/(?:href|src)=/);
  });

  it('lists the parts of a long page behind its title, and none of a short one', () => {
    const parts = ['One & `two`', 'Same', 'Same', 'Last'].map((text) => `## ${text}\n\n### Below\n`);
    const { html } = rendered(`# T\n\n${parts.join('\n')}`);
    expect(html).to.match(/<\/h1>\n<nav class="parts" aria-label="On this page">/);
    const list = /<nav.*<\/nav>/s.exec(html)?.[0] ?? '';
    expect([...list.matchAll(/href="([^"]*)">([^<]*)</g)].map(([, href, text]) => [href, text])).to.deep.equal([
      ['#one--two', 'One &amp; two'],
      ['#same', 'Same'],
      ['#same-1', 'Same'],
      ['#last', 'Last'],
    ]);
    expect(rendered(`# T\n\n${parts.slice(1).join('\n')}`).html).not.to.include('<nav');
  });

  it('links pages and headings of them, and leaves what is no page as text', () => {
    const { html, links } = rendered(
      '[one](evaluating.md) [two](../reference/limits.md#runs) [own](#t) [code](../scripts/build.ts) [web](https://a.example)',
    );
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).to.deep.equal([
      'evaluating.html',
      'limits.html#runs',
      '#t',
      'https://a.example',
    ]);
    expect(html).to.match(/own.* code /);
    expect(links).to.deep.equal([
      { page: 'evaluating', anchor: null },
      { page: 'limits', anchor: 'runs' },
      { page: 'testing', anchor: 't' },
    ]);
  });

  it('gives headings their anchors', () => {
    expect(rendered('# T\n\n## A `b`\n\n## A b').html).to.match(/<h1 id="t">[^]*<h2 id="a-b">[^]*<h2 id="a-b-1">/);
  });

  it('lets long names of a table go on at their joints alone', () => {
    const { html } = rendered('`a_b`\n\n| `run_it_now` | `a_b <c>` |\n|---|---|\n| `https://x.y` | `1.5` |');
    expect(html.match(/<code[^]*?<\/code>/g)).to.deep.equal([
      '<code>a_b</code>',
      '<code class="name">run_<wbr>it_<wbr>now</code>',
      '<code>a_<wbr>b &lt;c&gt;</code>',
      '<code class="name">https://x.<wbr>y</code>',
      '<code class="name">1.<wbr>5</code>',
    ]);
  });

  it('sets what is typed apart from what is printed', () => {
    const { html } = rendered('```console\n$ cat a \\\n    b\n<one>\n\n$ two\n\n$ echo "x" > y\n1\n\n2\n```\n');
    const parts = [
      ...html.matchAll(/<span class="(typed|output)">([^]*?)<\/span>(?=\n|<span class="prompt">|<\/code>)/g),
    ];
    expect(parts.map(([, kind, text = '']) => [kind, text.replaceAll(/<[^>]*>/g, '')])).to.deep.equal([
      ['typed', 'cat a \\\n    b'],
      ['output', '&lt;one&gt;\n'],
      ['typed', 'two'],
      ['typed', 'echo &quot;x&quot; &gt; y'],
      ['output', '1\n\n2\n'],
    ]);
    expect(html.match(/<span class="prompt">\$ <\/span>/g)).to.have.length(3);
    expect(rendered('```sh\n$ x\n```').html).not.to.include('prompt');
  });

  it('colours code of the languages that pages use', () => {
    for (const [word, code] of [
      ['sh', 'if true; then echo "x"; fi'],
      ['clojure', '(def x 1)'],
      ['json', '{"a": 1}'],
      ['dockerfile', 'FROM x'],
    ])
      expect(rendered(`\`\`\`${word}\n${code}\n\`\`\``).html, word).to.include('class="hljs-');
    expect(rendered('```unknown\na < b\n```').html).to.include('a &lt; b');
  });
});
