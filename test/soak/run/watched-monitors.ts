import { randomOf } from '../draw/random.js';
import type { OutageMode } from '../draw/draw-outages.js';
import type { Watched } from '../judge/observation.js';
import { REGIONS, type SoakWorld } from '../world/soak-world.js';
import { ZONE } from '../world/soak-target.js';

const [HOME, SECOND] = REGIONS;
const AT_ONCE = 4;
const INTERVAL_MS = 60_000;

/** How the targets of a kind can fail. A DNS check asks again over other ways before it fails, so only an answer is certain. */
export const MODES: Readonly<Record<Watched['kind'], readonly OutageMode[]>> = {
  http: ['error', 'error', 'reset', 'silent'],
  tcpUdp: ['reset'],
  dns: ['error'],
};

/** Creates the monitors whose checks and incidents are judged: of every kind, some of them in two regions. */
export async function watchTargets(world: SoakWorld, seed: number, count: number): Promise<Watched[]> {
  const random = randomOf(seed, 'monitors');
  const plans = Array.from({ length: count }, (_, number) => planOf(world, random.between(0, 99), number));
  const made: Watched[] = [];
  const work = async () => {
    for (let plan = plans.shift(); plan; plan = plans.shift()) {
      const { body, ...rest } = plan;
      const { status, body: monitor } = await world.client.call<{ id: string }>('POST', '/api/v1/monitor', body, {
        'idempotency-key': rest.subject,
      });
      if (status !== 201) throw new Error(`a monitor was answered with ${status}: ${JSON.stringify(monitor)}`);
      made.push({ ...rest, id: monitor.id, key: 0, fromMs: Date.now() });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const rows = await world.client.sql<{ id: string; key: number }>('SELECT id, key::int AS key FROM monitor');
  const keys = new Map(rows.map(({ id, key }) => [id, key]));
  return made.map((one) => ({ ...one, key: keys.get(one.id)! }));
}

function planOf(
  { targets: { ports } }: SoakWorld,
  percent: number,
  number: number,
): Omit<Watched, 'id' | 'key' | 'fromMs'> & { body: object } {
  const isTwice = percent % 4 === 0;
  const checksBeforeAlert = percent % 3 === 0 ? 2 : 1;
  const common = { checkInterval: 'PT1M', numberOfChecksBeforeAlert: checksBeforeAlert };
  const regions = isTwice ? [HOME, SECOND] : [HOME];
  const extra = isTwice ? [SECOND] : [];
  const rest = { intervalMs: INTERVAL_MS, checksBeforeAlert, regions };
  // A network of its own for each, so that the outage of one is not that of another.
  const address = `127.${20 + (number >> 8)}.${number & 255}.1`;
  if (percent < 60 || percent >= 90) {
    const subject = `/m/${number}`;
    const isTls = percent >= 90;
    const url = isTls ? `https://127.0.0.1:${ports.https}${subject}` : `http://${address}:${ports.http}${subject}`;
    const monitorTypes = isTls ? ['HttpAvailability', 'SslCertificate'] : ['HttpAvailability'];
    return { ...rest, kind: 'http', subject, body: { ...common, url, monitorTypes, enabledRegions: extra } };
  }
  if (percent < 80) {
    const body = {
      ...common,
      url: `tcp://${address}:${ports.tcp}`,
      monitorTypes: ['TcpUdp'],
      tcpUdp: { expect: 'READY' },
      enabledRegions: extra,
    };
    return { ...rest, kind: 'tcpUdp', subject: `tcp ${address}`, body };
  }
  const name = `m${number}.${ZONE}`;
  const dns = { recordTypes: ['A'], resolvers: [`127.0.0.1:${ports.dns}`] };
  // A name server does not know the region of who asks.
  const body = { ...common, url: name, monitorTypes: ['Dns'], dns };
  return { ...rest, regions: [HOME], kind: 'dns', subject: `dns ${name}`, body };
}
