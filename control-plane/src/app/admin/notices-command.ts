import { listOperatorNotices } from '../../capabilities/verdicts/index.js';
import type { AdminCommand } from './command.js';
import { formatTable } from './format-table.js';
import { parseOptions } from './parse-options.js';

const SHOWN = 50;

export const noticesCommand: AdminCommand = {
  name: 'notices',
  usage: 'notices [--json]',
  summary: `Show the notices to operators, such as suspect regions: the last ${SHOWN}, newest first.`,
  check: optionsOf,
  async run(deps, args) {
    const { json } = optionsOf(args);
    const notices = await listOperatorNotices(deps, SHOWN);
    if (json) return [JSON.stringify(notices, null, 2)];
    return formatTable(
      ['AT', 'KIND', 'REGION', 'NOTICE'],
      notices.map(({ created, kind, region, message }) => [created.toISOString(), kind, region ?? '-', message]),
    );
  },
};

function optionsOf(args: readonly string[]): { json: boolean } {
  const { values } = parseOptions(noticesCommand, args, { json: { type: 'boolean' } });
  return { json: values.json ?? false };
}
