import { type Command, Option } from 'commander';
import { cleanLine } from '@watchpost/shared/clean-line';
import { TEST_DEADLINE_MS } from '@watchpost/shared/one-off-tests';
import { MONITOR_TYPES } from '@watchpost/shared/monitor-types';
import { parseDuration } from '@watchpost/shared/duration';
import { testableSettings } from '@watchpost/shared/secrets/masked-settings';
import type { BulkResult } from '@watchpost/control-plane/capabilities/monitors/bulk-schemas';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { MonitorTestView } from '@watchpost/control-plane/capabilities/fleet/runs/monitor-test-schemas';
import { collectValues, DEFAULT_LIMIT, readLimit, warnOfMore } from '../command/list-limit.js';
import { type CommandContext, printResult } from '../command/command-context.js';
import { CommandError, EXIT } from '../command/command-error.js';
import type { Bind } from '../command/run-command.js';
import { countOf } from '../output/format-time.js';
import { formatTable } from '../output/format-table.js';
import { describeMonitor, monitorColumns } from './describe-monitor.js';
import { describeStep } from './describe-step.js';
import { findMonitorIds } from './find-monitors.js';

const HEALTH = ['available', 'degraded', 'unavailable', 'unknown'];

interface ListOptions {
  health?: string;
  type?: string;
  tag?: string[];
  search?: string;
  limit: number;
}

export function addMonitorCommands(program: Command, bind: Bind): void {
  const monitors = program.command('monitors').description('list, read, pause, resume and test monitors');
  monitors
    .command('list')
    .description('list monitors, the worst health first')
    .addOption(new Option('--health <health>', 'only those of this health').choices(HEALTH))
    .addOption(new Option('--type <type>', 'only those of this type').choices(MONITOR_TYPES))
    .addOption(new Option('--tag <tag>', 'only those with this tag; repeat it for several').argParser(collectValues))
    .option('--search <text>', 'only those whose name or URL contains this')
    .addOption(new Option('--limit <number>', 'at most so many').argParser(readLimit).default(DEFAULT_LIMIT))
    .action(bind(listMonitors));
  monitors
    .command('get')
    .description('print a monitor with its latest results')
    .argument('<id or name>')
    .action(bind(getMonitor));
  monitors
    .command('pause')
    .description('pause monitors: they are not checked, and their incidents are closed')
    .argument('<id or name...>')
    .action(bind((context, named) => changeMonitors(context, named, 'pause')));
  monitors
    .command('resume')
    .description('resume paused monitors')
    .argument('<id or name...>')
    .action(bind((context, named) => changeMonitors(context, named, 'resume')));
  monitors
    .command('test')
    .description('check the URL of a monitor, or any URL, once; the exit code is 1 if it is down')
    .argument('<id, name or URL>')
    .action(bind(testMonitor));
}

async function listMonitors(context: CommandContext, _: readonly string[], options: ListOptions): Promise<void> {
  const api = await context.connect();
  const { health, type, tag, search, limit } = options;
  const query = { healthStatus: health, monitorType: type, tag, search, sort: 'health' };
  const { items, total } = await api.list<MonitorView>('/api/v1/monitor', query, limit);
  printResult(context, items, () =>
    items.length === 0
      ? ['There are no such monitors.']
      : formatTable(monitorColumns(context.terminal, context.nowMs()), items, context.terminal.width),
  );
  warnOfMore(context, items.length, total);
}

async function getMonitor(context: CommandContext, named: readonly string[]): Promise<void> {
  const api = await context.connect();
  const [id] = await findMonitorIds(api, named);
  const monitor = await api.get<MonitorView>(`/api/v1/monitor/${id}`, 'id');
  printResult(context, monitor, () => describeMonitor(monitor, context.terminal, context.nowMs()));
}

async function changeMonitors(
  context: CommandContext,
  named: readonly string[],
  action: 'pause' | 'resume',
): Promise<void> {
  const api = await context.connect();
  const monitorIds = await findMonitorIds(api, named);
  const result = await api.send<BulkResult>('POST', '/api/v1/monitor/bulk', { action, monitorIds }, 'matched', {
    repeat: 'keyed',
  });
  const done = action === 'pause' ? 'Paused' : 'Resumed';
  const unchanged = result.matched - result.changed;
  printResult(context, result, () => [
    `${done} ${countOf(result.changed, 'monitor')}${unchanged > 0 ? `; ${countOf(unchanged, 'monitor')} did not change` : ''}.`,
  ]);
}

async function testMonitor(context: CommandContext, named: readonly string[]): Promise<number> {
  const { terminal } = context;
  const api = await context.connect();
  const [target] = named as [string];
  const body = /^https?:\/\//i.test(target)
    ? { url: target }
    : settingsOfTest(
        context,
        await api.get<MonitorView>(`/api/v1/monitor/${(await findMonitorIds(api, [target]))[0]}`, 'id'),
      );
  const work = api.send<MonitorTestView>('POST', '/api/v1/monitor-test', body, 'wasAvailable', {
    repeat: 'never',
    deadlineMs: TEST_DEADLINE_MS,
  });
  const result = await terminal.whileShowing('Testing', work);
  const { wasAvailable, statusCode, responseTime, failureReason, notes, assertions, phases, steps = [] } = result;
  printResult(context, result, () => [
    wasAvailable
      ? `${terminal.paint('green', 'available')}: status ${statusCode} in ${Math.round(responseTime)} ms`
      : `${terminal.paint('red', 'unavailable')}: ${failureReason ?? 'no reason is known'}`,
    ...steps.map((step) => `  ${cleanLine(step.name)}: ${describeStep(step)}`),
    ...[...assertions.flatMap(({ message }) => message ?? []), ...notes].map((line) => `  ${line}`),
    `  ${Object.entries(phases)
      .map(([phase, ms]) => `${phase} ${ms} ms`)
      .join(', ')}`,
  ]);
  return wasAvailable ? EXIT.done : EXIT.error;
}

/** Its URL, requests, timeout, and where it is checked without the home region. REST shows no secrets: what is left out for want of them is reported. */
function settingsOfTest({ terminal }: CommandContext, monitor: MonitorView): object {
  const { name, url, checkTimeout, http, homeRegion, privateLocations } = monitor;
  const [location] = homeRegion ? [] : privateLocations;
  if (url === null || !/^https?:/i.test(url)) {
    throw new CommandError(`${JSON.stringify(name)} has no URL of HTTP, which is what a test checks.`, {
      code: 'not_testable',
    });
  }
  const { settings, leftOut } = testableSettings({ url, http });
  if (leftOut.length > 0)
    terminal.report(
      `Stored secrets are never shown, so this test is made without ${leftOut.map((path) => path.join('.')).join(', ')}. ` +
        'A site that needs them may be reported as unavailable. To test with them, enter them in the console, or send them to POST /api/v1/monitor-test.',
    );
  const timeoutMs = parseDuration(checkTimeout);
  return {
    ...settings,
    ...(location !== undefined && { location }),
    ...(timeoutMs !== undefined && timeoutMs >= 5_000 && timeoutMs <= 60_000 && { timeout: checkTimeout }),
  };
}
