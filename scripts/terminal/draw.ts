/** A command that was typed, and the lines that it printed. */
export interface TypedCommand {
  readonly command: string;
  readonly output: readonly string[];
}

/** Pixels of the picture. */
const [WIDTH, LINE, LEFT, TOP, BOTTOM] = [860, 20, 18, 52, 16];
/** Characters that fit into a line. */
const COLUMNS = 98;
/** Between a command and the next one, and before the first: seconds. */
const PAUSE_S = 1.6;

/**
 * A terminal as SVG: each command appears with its output after the one before. No script, no font or style from
 * elsewhere; with `prefers-reduced-motion` everything is there from the start.
 */
export function drawTerminal(commands: readonly TypedCommand[]): string {
  let row = 0;
  const groups = commands.map(({ command, output }, index) => {
    const lines = [
      line(`$ ${command}`, 'command', row),
      ...output.map((text, at) => line(text, 'output', row + 1 + at)),
    ];
    row += lines.length;
    const delay = (PAUSE_S * index).toFixed(1);
    return `<g class="step" style="animation-delay:${delay}s">\n${lines.join('\n')}\n</g>`;
  });
  const height = TOP + row * LINE + BOTTOM;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Commands of svc in a terminal, and what they print">
<style>
text { font: 14px ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace; white-space: pre; }
.command { fill: #ffffff; font-weight: 600; }
.output { fill: #b8c2d0; }
.step { animation: appear 0.3s both; }
@keyframes appear { from { opacity: 0; } to { opacity: 1; } }
@media (prefers-reduced-motion: reduce) { .step { animation: none; } }
</style>
<rect width="${WIDTH}" height="${height}" rx="8" fill="#14171c"/>
<circle cx="20" cy="20" r="6" fill="#e5695e"/>
<circle cx="40" cy="20" r="6" fill="#e4b84f"/><circle cx="60" cy="20" r="6" fill="#63b35f"/>
${groups.join('\n')}
</svg>
`;
}

function line(text: string, kind: 'command' | 'output', row: number): string {
  const shown = text.length > COLUMNS ? `${text.slice(0, COLUMNS - 1)}…` : text;
  return `<text class="${kind}" xml:space="preserve" x="${LEFT}" y="${TOP + row * LINE}">${escaped(shown)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
