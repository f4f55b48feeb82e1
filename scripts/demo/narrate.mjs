import { setTimeout as sleep } from 'node:timers/promises';
import { describeEvent } from './describe-event.mjs';
import { findPageLink } from './find-page-link.mjs';
import { tell } from './tell.mjs';

const LOOK_EVERY_MS = 1_000;

/** Tells what changes, until the signal: the monitor's health, its incident's timeline, the public page. */
export async function narrate({ api, demo, baseUrl, signal }) {
  const told = new Map();
  const tellChange = (what, value, sentence) => {
    if (told.get(what) === value) return;
    told.set(what, value);
    tell(sentence);
  };
  const seen = new Set();
  while (!signal.aborted) {
    const monitor = await api('GET', `/api/v1/monitor/${demo.monitorId}`);
    const { healthStatus, latestTestResult: test, latestIncident: incident } = monitor;
    if (test) {
      const outcome = test.wasAvailable
        ? `fine (${test.statusCode}, ${test.responseTime} ms)`
        : `failed: ${test.failureReason}`;
      tellChange('check', test.started, `A check: ${outcome}`);
    }
    tellChange('health', healthStatus, `The monitor is ${healthStatus ?? 'not known yet: nobody has looked'}.`);
    if (incident) await tellIncident({ api, baseUrl, seen, tellChange }, incident.id);
    const page = await api('GET', `/api/v1/public/status-page/${demo.slug}`);
    tellChange('page', page.overallStatus, `The public page says: ${page.overallStatus}. See ${demo.pageUrl}`);
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

async function tellIncident({ api, baseUrl, seen, tellChange }, id) {
  const { timeline, acknowledged, isClosed } = await api('GET', `/api/v1/incident/${id}`);
  // Of an earlier run on the same data there is nothing to tell.
  if (isClosed && !seen.has(id)) return;
  seen.add(id);
  for (const event of timeline) {
    const key = `${id} ${event.type} ${event.at} ${JSON.stringify(event.detail)}`;
    if (!seen.has(key)) tell(`Incident: ${describeEvent(event)}`);
    seen.add(key);
  }
  tellChange('incident', id, `Its evidence: ${baseUrl}/api/v1/incident/${id}`);
  if (acknowledged || isClosed || seen.has(`${id} link`)) return;
  const link = await findPageLink(baseUrl);
  if (link === null) return;
  seen.add(`${id} link`);
  tell(`The page is in the mailbox: ${baseUrl}/mailbox`);
  tell(`Acknowledge it there, or here, before it is sent again: ${link}`);
}
