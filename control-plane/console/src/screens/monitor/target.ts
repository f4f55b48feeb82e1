import type { DnsHistoryEntryView } from '@watchpost/control-plane/capabilities/verdicts/warnings/dns-schemas';
import {
  factsOf,
  type MonitorType,
  type MonitorUrlKind,
  typeAloneWith,
  URL_KINDS,
} from '@watchpost/shared/monitor-types';
import { countText } from '../../parts/format.js';

/** What somebody pasted, as far as it can be read without asking the server. */
export interface Target {
  /** In the form that the API takes: a bare name is taken as https. */
  url: string;
  kind: MonitorUrlKind;
  /** A name, or an address without brackets. */
  host: string;
  /** Whether the host is a name, which DNS has records of. */
  isName: boolean;
}

/** @returns the target that a text names; undefined while it is none, which is no fault yet: people are typing */
export function readTarget(text: string): Target | undefined {
  const given = text.trim();
  if (given === '' || /\s/.test(given)) return undefined;
  const url = given.includes('://') ? given : `https://${given}`;
  // Browsers parse the host only of schemes that they know.
  const [scheme = ''] = url.split(':');
  const kind = URL_KINDS.find((each) => each === scheme.toLowerCase());
  const host = hostOf(url.replace(scheme, kind === 'https' ? 'https' : 'http'));
  if (host === undefined || kind === undefined) return undefined;
  const isAddress = host.includes(':') || /^[\d.]+$/.test(host);
  if (!isAddress && !host.includes('.') && host !== 'localhost') return undefined;
  return { url, kind, host, isName: !isAddress && host !== 'localhost' };
}

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.replace(/^\[|\]$/g, '');
  } catch {
    return undefined;
  }
}

/** The URL of a monitor of these types: some have a name or an address alone. */
export function urlFor({ url, host }: Target, types: readonly MonitorType[]): string {
  return types.some((type) => factsOf(type).isAlone && factsOf(type).url.kinds.includes('hostname')) ? host : url;
}

/** The types that suit a target and that the plan covers: what most people want to know, and no more. */
export function suggestTypes<Type extends string>({ kind }: Target, covered: readonly Type[]): Type[] {
  const web = kind === 'https' ? ['HttpAvailability', 'SslCertificate'] : ['HttpAvailability'];
  const alone = typeAloneWith(kind);
  const wanted: readonly string[] = alone === undefined ? web : [alone];
  return covered.filter((type) => wanted.includes(type));
}

/** The name that people know an issuer or subject by: its organization, else its common name. */
export function nameInSubject(text: string): string {
  const part = (key: string) => new RegExp(`(?:^|[,\\n/])\\s*${key}=("[^"]*"|[^,\\n/]*)`).exec(text)?.[1];
  return (part('O') ?? part('CN') ?? text).replace(/^"|"$/g, '');
}

/** Whether the name servers agree, and how many do not answer. */
export function propagationText({
  consistent,
  convergedPercent,
  servers,
}: NonNullable<DnsHistoryEntryView['propagation']>): string {
  const silent = servers.filter(({ error }) => error !== null).length;
  const answering = servers.length - silent;
  if (answering === 0) return 'No name server answers';
  if (!consistent) return `Name servers disagree: ${Math.floor(convergedPercent)} % have the same answer`;
  const agree = answering === 1 ? '1 name server answers' : `${countText(answering, 'name server')} agree`;
  return silent === 0 ? agree : `${agree}, ${silent} ${silent === 1 ? 'does' : 'do'} not answer`;
}
