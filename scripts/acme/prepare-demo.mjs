import { localPlace, MONITORS } from './monitors.mjs';
import { openPlane } from './open-plane.mjs';
import { readAgentTokens, seedAcme } from './seed-acme.mjs';

/** Changes that are sent together. */
const AT_ONCE = 8;

/**
 * Makes Acme's workspace, with the day that ends now, where the data folder does not have it yet. The product must not run.
 * @returns the tokens of the agents beside the home agent, by region
 */
export async function prepareDemo({ dataDir, site, certificates, webhookUrl }) {
  const known = await readAgentTokens(dataDir);
  if (known) return known;
  const endMs = Date.now();
  const place = await openPlane({ dataDir, env: process.env, nowMs: endMs, isHandedOver: true });
  try {
    await seedAcme(place, { endMs, placeOf: localPlace(site), chainOf: certificates.chainOf, webhookUrl });
  } finally {
    await place.stop();
  }
  return await readAgentTokens(dataDir);
}

/** Points what Acme's workspace has at the site and the receiver of this run, where their ports are new. */
export async function pointAtRun(api, { site, webhookUrl }) {
  const placeOf = localPlace(site);
  const monitors = await api('GET', '/api/v1/monitor?pageSize=100');
  const changes = MONITORS.flatMap((monitor) => {
    const own = monitors.find(({ name }) => name === monitor.name);
    const place = placeOf(monitor);
    const isThere = own?.url === place.url && own.http.connectTo === (place.http?.connectTo ?? null);
    return own && !isThere ? [{ id: own.id, place }] : [];
  });
  for (let from = 0; from < changes.length; from += AT_ONCE)
    await Promise.all(
      changes.slice(from, from + AT_ONCE).map(({ id, place }) => api('PUT', `/api/v1/monitor/${id}`, place)),
    );
  for (const { id, name, type, url } of await api('GET', '/api/v1/action-groups'))
    if (type === 'webhook' && name === 'Incident bot' && url !== webhookUrl)
      await api('PUT', `/api/v1/action-groups/webhook/${id}`, { url: webhookUrl });
}
