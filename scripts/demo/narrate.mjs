import { setTimeout as sleep } from 'node:timers/promises';
import { printLine } from './print-line.mjs';

const LOOK_EVERY_MS = 1_000;

/** Prints changes until the signal: the monitor's health, its incident's timeline, the status page. */
export async function narrate({ api, demo, baseUrl, signal }) {
  const printed = new Map();
  const printChange = (what, value, sentence) => {
    if (printed.get(what) === value) return;
    printed.set(what, value);
    printLine(sentence);
  };
  const seen = new Set();
  while (!signal.aborted) {
    const monitor = await api('GET', `/api/v1/monitor/${demo.monitorId}`);
    const { healthStatus, latestTestResult: test, latestIncident: incident } = monitor;
    if (test) {
      const outcome = test.wasAvailable
        ? `fine (${test.statusCode}, ${test.responseTime} ms)`
        : `failed: ${test.failureReason}`;
      printChange('check', test.started, `A check: ${outcome}`);
    }
    printChange('health', healthStatus, `The monitor is ${healthStatus ?? 'not known yet: it has not been checked'}.`);
    if (incident) await printIncident({ api, baseUrl, seen, printChange }, incident.id);
    const page = await api('GET', `/api/v1/public/status-page/${demo.slug}`);
    printChange('page', page.overallStatus, `The status page shows: ${page.overallStatus}. See ${demo.pageUrl}`);
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

async function printIncident({ api, baseUrl, seen, printChange }, id) {
  const { monitorName, timeline, acknowledged, isClosed } = await api('GET', `/api/v1/incident/${id}`);
  // Incidents of an earlier run on the same data are not printed.
  if (isClosed && !seen.has(id)) return;
  seen.add(id);
  for (const event of timeline) {
    const key = `${id} ${event.type} ${event.at} ${JSON.stringify(event.detail)}`;
    if (!seen.has(key)) printLine(`Incident: ${describeEvent(event)}`);
    seen.add(key);
  }
  printChange('incident', id, `Its evidence: ${baseUrl}/api/v1/incident/${id}`);
  if (acknowledged || isClosed || seen.has(`${id} link`)) return;
  const link = await findPageLink(baseUrl, monitorName);
  if (link === null) return;
  seen.add(`${id} link`);
  printLine(`The page is in the mailbox: ${baseUrl}/mailbox`);
  printLine(`Acknowledge it there, or here, before it is sent again: ${link}`);
}

/** An event of an incident's timeline, as a sentence. */
function describeEvent({ type, detail }) {
  switch (type) {
    case 'opened':
      return `opened. ${detail.failureReason ?? ''}`.trim();
    case 'region_failed':
      return `${detail.region} sees it fail.`;
    case 'region_recovered':
      return `${detail.region} sees it work again.`;
    case 'severity_changed':
      return `it is ${detail.to === 'down' ? 'down' : 'partly down'} now.`;
    case 'paged':
      return `paged ${detail.people.map(({ name, channels }) => `${name} by ${channels.join(' and ')}`).join(', ')}, of the team ${detail.team}.`;
    case 'notified':
      return `notified ${detail.destination} by ${detail.channel} (${detail.event}).`;
    case 'notification_failed':
      return `a notification failed: ${detail.reason ?? detail.answer}`;
    case 'acknowledged':
      return 'acknowledged: nobody is paged for it any more.';
    default:
      return `${type.replaceAll('_', ' ')}.`;
  }
}

const DEADLINE_MS = 10_000;

/** The newest link in the local mailbox that acknowledges an incident of a monitor; null where there is none (yet). */
async function findPageLink(baseUrl, monitorName) {
  const response = await fetch(`${baseUrl}/mailbox`, { signal: AbortSignal.timeout(DEADLINE_MS) });
  // With SMTP_URL there is no local mailbox: the link is in a real one.
  if (!response.ok) return null;
  const mails = (await response.text()).split('<article');
  const page = mails.find((mail) => mail.includes(`<h2>Down: ${monitorName}</h2>`) && mail.includes('/ack/'));
  return /href="([^"]+\/ack\/[\w-]+)"/.exec(page ?? '')?.[1] ?? null;
}
