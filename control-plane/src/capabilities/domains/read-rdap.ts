import { z } from 'zod';
import type { RegistryAnswer } from './decide-reading.js';

const LONGEST_TEXT = 256;
const MOST_ENTRIES = 50;

const text = z.string().transform((given) => given.slice(0, LONGEST_TEXT));
/** The part of an answer that is read (RFC 9083, section 5.3). What is unreadable in it is left out. */
const domainObject = z.object({
  objectClassName: z.literal('domain'),
  ldhName: z.string(),
  status: z.array(z.unknown()).catch([]),
  events: z.array(z.unknown()).catch([]),
  nameservers: z.array(z.unknown()).catch([]),
  entities: z.array(z.unknown()).catch([]),
});
/** No domain is older, so that an earlier date is none, but zero in the clock of a registry. */
const EARLIEST_MS = Date.UTC(1985, 0);
const event = z.object({ eventAction: z.literal('expiration'), eventDate: z.iso.datetime({ offset: true }) });
const nameServer = z.object({ ldhName: text });
const registrarEntity = z.object({
  roles: z.array(z.string()).refine((roles) => roles.includes('registrar')),
  handle: text.nullish().catch(null),
  vcardArray: z
    .tuple([z.literal('vcard'), z.array(z.unknown())])
    .optional()
    .catch(undefined),
});
const fullName = z.tuple([z.literal('fn'), z.unknown(), z.unknown(), text]);

/**
 * Reads an answer about a domain (RFC 9083).
 * @param name the domain that was asked for
 * @returns null where it is no RDAP answer about it. An expiry that is no date is null; of several the latest counts
 */
export function readRdap(
  name: string,
  body: string,
): Omit<Extract<RegistryAnswer, { kind: 'found' }>, 'source'> | null {
  const read = domainObject.safeParse(asJson(body)).data;
  if (!read || plain(read.ldhName) !== name) return null;
  const expiries = each(event, read.events)
    .map(({ eventDate }) => Date.parse(eventDate))
    .filter((ms) => ms >= EARLIEST_MS);
  const registrar = each(registrarEntity, read.entities)[0];
  const named = registrar?.vcardArray ? each(fullName, registrar.vcardArray[1])[0]?.[3] : undefined;
  return {
    kind: 'found',
    expiresMs: expiries.length === 0 ? null : Math.max(...expiries),
    registrar: named ?? registrar?.handle ?? null,
    statuses: each(text, read.status).map((status) => status.toLowerCase()),
    nameServers: each(nameServer, read.nameservers).map(({ ldhName }) => plain(ldhName)),
  };
}

/** Decides whether an answer with status 404 is one of RDAP (RFC 7480, section 5.3): a web server without RDAP answers so, too. */
export function isNegativeAnswer(body: string): boolean {
  return body.trim() === '' || z.object({}).safeParse(asJson(body)).success;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** @returns null for what is no JSON */
export function asJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function each<Item>(schema: z.ZodType<Item>, list: readonly unknown[]): Item[] {
  return list.slice(0, MOST_ENTRIES).flatMap((item) => {
    const read = schema.safeParse(item);
    return read.success ? [read.data] : [];
  });
}

/** The statuses that hold a domain (RFC 8056), without blanks, so that words of EPP match too. */
const HOLDS: ReadonlySet<string> = new Set(['clienthold', 'serverhold', 'redemptionperiod', 'pendingdelete']);

/** The statuses among these by which a domain does not resolve, or is about to be deleted. */
export function holdsAmong(statuses: readonly string[]): string[] {
  return statuses.filter((status) => HOLDS.has(status.replaceAll(/[\s_-]/g, '').toLowerCase()));
}
