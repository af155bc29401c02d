/** Every limit of a run, from the table that loaders and schemas read. */
import { LIMITS, type LimitScope, type LimitUnit } from '../../contract/limits/catalogue.ts';

const SCOPES: readonly (readonly [LimitScope, string])[] = [
  ['narrowable', 'Set by application and host'],
  ['optional', 'Off until the host sets it, then also set by the application'],
  ['installed', 'Set by the host alone'],
];
const UNITS: Readonly<Record<LimitUnit, string>> = {
  ms: 'milliseconds',
  words: 'words of 8 bytes',
  count: 'number',
  bytes: 'bytes',
};

function amount(value: number | null): string {
  return value === null ? 'off' : value.toLocaleString('en-US');
}

/** The values that most limits of a table may have; its rows say only what differs. */
const COMMON = '1 to 2,592,000,000';

function tableOf(scope: LimitScope): readonly string[] {
  const rows = LIMITS.filter((limit) => limit.scope === scope).map(
    ({ name, unit, default: standard, ceiling, minimum, maximum, doc }) => {
      const values = `${amount(minimum)} to ${amount(maximum)}`;
      const range = values === COMMON ? '' : ` Values: ${values}.`;
      return `| \`${name}\` | ${UNITS[unit]} | ${amount(standard)} | ${amount(ceiling)} | ${doc}${range} |`;
    },
  );
  return ['| Limit | Unit | Default | Most without the host | What it bounds |', '|---|---|---|---|---|', ...rows, ''];
}

/** The whole page. */
export function limitsPage(): string {
  return [
    '# Limits',
    '',
    'Every run is bounded. An application writes its limits under `limits` in `svc.json`, an installation the most it allows under `limits` in `svc-host.json`. The value of the application holds, else the default, and never more than the host allows; more is refused before anything runs (`installed_limit_exceeded`).',
    '',
    `A limit that is reached ends what it bounds: an evaluation with an error that the workflow can read, or the run with exit status 6. No program can catch it. Values are ${COMMON} unless a row says otherwise.`,
    '',
    ...SCOPES.flatMap(([scope, title]) => [`## ${title}`, '', ...tableOf(scope)]),
  ].join('\n');
}
