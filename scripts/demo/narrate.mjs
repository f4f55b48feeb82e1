import { setTimeout as sleep } from 'node:timers/promises';
import { describeEvent } from './describe-event.mjs';
import { findPageLink } from './find-page-link.mjs';
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
