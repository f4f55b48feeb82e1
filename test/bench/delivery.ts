import { SECOND_MS } from '@watchpost/shared/time';
import { startTestApp } from '../support/app.js';
import { CHANNEL_SERVICES, type StandIn, startStandIn } from '../support/channel-services/stand-in.js';
import { create, createMonitors, makeWorld } from '../support/seed.js';
import { openTogether, seedGroup } from '../support/seed-alerts.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';

const INCIDENTS = 1_000;
/** Incidents that open together, a second after those before. */
const TOGETHER = 100;
const BUSY_SECONDS = 60;
type Type = keyof typeof CHANNEL_SERVICES;

/**
 * Opens a thousand incidents for a group of each channel while its service answers 429 for a minute of moved time, and
 * compares what the service takes afterwards with the order in which the incidents opened.
 */
export async function benchDelivery(defer: Defer): Promise<BenchRow[]> {
  const services = new Map<Type, StandIn>();
  const env: Record<string, string> = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
  for (const type of Object.keys(CHANNEL_SERVICES) as Type[]) {
    const standIn = await startStandIn(type);
    defer(() => standIn.receiver.stop());
    services.set(type, standIn);
    if (standIn.service.variable !== undefined) env[standIn.service.variable] = standIn.receiver.url;
  }
  const app = await startTestApp({ env });
  defer(() => app.stop());
  const world = await makeWorld(app);
  await app.setPlan('Enterprise', { monitors: INCIDENTS }, world.owner);
  const names = Array.from({ length: INCIDENTS }, (_, index) => `Shop ${String(index).padStart(4, '0')}`);
  const monitors = await createMonitors(
    world.api,
    names.map((name) => ({ name, url: 'https://shop.example/' })),
  );
  for (const [type, { service, receiver, busy }] of services) {
    await seedGroup(world, type, { attachTo: { tags: [], all: true }, ...service.group(receiver.url) });
    receiver.always(busy(BUSY_SECONDS));
  }
  for (let from = 0; from < INCIDENTS; from += TOGETHER) {
    await openTogether(world, monitors.slice(from, from + TOGETHER));
    app.clock.advance(SECOND_MS);
  }
  await app.plane.delivery.runDue();
  const attempts = [...services.values()].reduce((total, { receiver }) => total + receiver.calls.length, 0);
  for (const { receiver, obey } of services.values()) {
    receiver.calls.length = 0;
    receiver.always(obey);
  }
  app.clock.advance(BUSY_SECONDS * SECOND_MS);
  const startedMs = performance.now();
  await app.plane.delivery.runDue();
  const waiting = await create<object[]>(world.api, '/api/v1/deliveries?state=waiting', undefined, 'GET');
  if (waiting.length > 0) throw new Error(`${waiting.length} deliveries or more wait still`);

  const taken = [...services].map(([type, { receiver, refused }]) => {
    if (refused.length > 0) throw new Error(`${type} refused a message: ${refused[0]}`);
    const places = receiver.calls.flatMap(({ body }) => /Shop\D{1,3}(\d{4})/.exec(body)?.[1] ?? []).map(Number);
    const distinct = new Set(places).size;
    return {
      type,
      calls: receiver.calls.length,
      lost: INCIDENTS - distinct,
      twice: places.length - distinct,
      disordered: places.filter((place, index) => index > 0 && place < places[index - 1]!).length,
      seconds: ((receiver.calls.at(-1)?.atMs ?? NaN) - startedMs) / SECOND_MS,
    };
  });
  const sum = (of: 'lost' | 'twice' | 'disordered' | 'calls') => taken.reduce((total, one) => total + one[of], 0);
  const none = { text: '0', met: ({ value }: { value: number }) => value === 0 };
  const what = `${INCIDENTS} incidents to each of ${services.size} channels after a minute of 429`;
  return [
    benchRow({ name: `${what}: lost`, value: sum('lost'), unit: 'messages', aim: none }),
    benchRow({ name: `${what}: twice`, value: sum('twice'), unit: 'messages', aim: none }),
    benchRow({ name: `${what}: out of order`, value: sum('disordered'), unit: 'messages', aim: none }),
    benchRow({ name: `${what}: attempts in that minute`, value: attempts, unit: 'calls' }),
    benchRow({ name: `${what}: messages`, value: sum('calls'), unit: 'calls' }),
    benchRow({
      name: `${what}: until the last has all`,
      value: Math.max(...taken.map(({ seconds }) => seconds)),
      unit: 's',
    }),
    ...taken.map(({ type, calls, seconds }) =>
      benchRow({ name: `${type}: ${calls} calls, done after`, value: seconds, unit: 's' }),
    ),
  ];
}
