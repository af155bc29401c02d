/** Every limit of a run, from the table that loaders and schemas read, and the fixed ones beside it. */
import { LIMITS, type LimitScope, type LimitUnit } from '../../contract/limits/catalogue.ts';

const SCOPES: Readonly<Record<LimitScope, string>> = {
  narrowable: 'application and host',
  optional: 'application and host, off until the host sets it',
  installed: 'host alone',
};
const UNITS: Readonly<Record<LimitUnit, string>> = {
  ms: 'milliseconds',
  words: 'words of 8 bytes',
  count: 'a number',
  bytes: 'bytes',
};

function amount(value: number | null): string {
  return value === null ? 'off' : value.toLocaleString('en-US');
}

/** The whole page. */
export function limitsPage(): string {
  const rows = LIMITS.map(
    ({ name, unit, scope, default: standard, ceiling, minimum, maximum, doc }) =>
      `| \`${name}\` | ${UNITS[unit]} | ${amount(standard)} | ${amount(ceiling)} | ${amount(minimum)} to ${amount(maximum)} | ${SCOPES[scope]} | ${doc} |`,
  );
  return [
    '# Limits',
    '',
    "Every run is bounded, also when nobody says anything. An application writes its limits under `limits` in `svc.json`, an installation the most it allows under `limits` in `svc-host.json`. What holds is the application's value, else the default, and never more than the host allows; an application that asks for more is refused before anything runs (`installed_limit_exceeded`).",
    '',
    'A limit that is reached ends what it bounds: an evaluation with an error that the workflow can read, or the run with exit status 6. No program can catch it, move it or see how much is left, unless it is told so.',
    '',
    '| Limit | Unit | Default | Most without the host | Values | Set by | What it bounds |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
