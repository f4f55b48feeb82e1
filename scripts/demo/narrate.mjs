import { setTimeout as sleep } from 'node:timers/promises';
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
    if (incident) {
      const { timeline } = await api('GET', `/api/v1/incident/${incident.id}`);
      for (const { type, at, detail } of timeline) {
        const key = `${incident.id} ${type} ${at} ${JSON.stringify(detail)}`;
        if (!seen.has(key)) tell(`Incident: ${type.replaceAll('_', ' ')} ${shown(detail)}`);
        seen.add(key);
      }
      const link = `${baseUrl}/api/v1/incident/${incident.id}`;
      tellChange('incident', incident.id, `Its evidence: ${link}`);
    }
    const page = await api('GET', `/api/v1/public/status-page/${demo.slug}`);
    tellChange('page', page.overallStatus, `The public page says: ${page.overallStatus}.`);
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

function shown(detail) {
  const parts = ['failureReason', 'message', 'channel', 'recipient', 'to', 'reason'].flatMap((key) =>
    typeof detail?.[key] === 'string' ? [detail[key]] : [],
  );
  return parts.length === 0 ? '' : `(${parts.join(', ')})`;
}
