import { canonicalJson } from '../../contract/json/canonical.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import { diagnostic, providerSubject } from '../../contract/diagnostics/diagnostic.ts';
import { visibleLines, visibleText } from '../../contract/visible-text.ts';
import type { OpenCode } from '../../supervisor/api/code.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { writeStream } from '../process/output.ts';

/** About so many characters of a list are one token. */
const CHARACTERS_PER_TOKEN = 4;

type Tool = ReturnType<OpenCode['room']['tools']>[number];
type Server = ReturnType<OpenCode['room']['servers']>[number];

/** Starts the servers of a session and shows what each offers, and what of it needs a person (code-mode.md §1). */
export async function checkCode(code: OpenCode): Promise<CommandEnd> {
  code.start();
  await code.room.settled;
  const [tools, servers] = [code.room.tools(), code.room.servers()];
  await code.close();
  const rows = servers.map((server) =>
    rowOf(
      server,
      tools.filter(({ server: alias }) => alias === server.alias),
    ),
  );
  await writeStream(1, table([['server', 'state', 'tools', 'tokens', 'effect', ''], ...rows]));
  for (const { alias, state } of servers)
    if (state.state === 'unready' && state.lastWords !== null)
      await writeStream(1, `\n${alias} wrote on its standard error:\n${visibleLines(state.lastWords).trimEnd()}\n`);
  const asking = tools.find(({ asks }) => asks);
  if (asking !== undefined)
    await writeStream(
      1,
      '\nTools that write need the yes of a person. To allow some by name, or to believe what servers say of theirs, add:\n' +
        `  --allow '${asking.name}'\n  --trust-annotations\n`,
    );
  const down = servers.findIndex(({ state }) => state.state !== 'ready');
  const alias = servers[down]?.alias;
  if (alias === undefined) return { kind: 'conversed', outcome: { outcome: 'succeeded' } };
  const subject = providerSubject(alias, 'acquisition', { destination: 'mission', index: down });
  return { kind: 'failed', diagnostic: diagnostic('provider_unavailable', { subject }), hint: null };
}

function rowOf({ alias, state, tools: count, leftOut }: Server, tools: readonly Tool[]): readonly string[] {
  const [reading, asking] = [tools.filter(({ effect }) => effect === 'read'), tools.filter(({ asks }) => asks)];
  const effects = [
    ...(reading.length === 0 ? [] : [`read ${reading.length}`]),
    ...(reading.length === count ? [] : [`write ${count - reading.length}`]),
    ...(asking.length === 0 ? [] : [`ask ${asking.length}`]),
  ];
  const reason = state.state === 'unready' ? state.reason : leftOut === 0 ? '' : `${leftOut} more are left out`;
  return [alias, state.state, `${count}`, `${tokensOf(tools)}`, effects.join(', '), reason];
}

/** Of the list that a client would send to its model. */
function tokensOf(tools: readonly Tool[]): number {
  const listed = tools.map(
    ({ name, description, inputSchema, outputSchema }) =>
      new Map<string, JsonValue>([
        ['name', name],
        ['description', description],
        ['inputSchema', inputSchema],
        ...(outputSchema === null ? [] : [['outputSchema', outputSchema] as const]),
      ]),
  );
  return tools.length === 0 ? 0 : Math.ceil(canonicalJson(listed).length / CHARACTERS_PER_TOKEN);
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => visibleText(cell).padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
