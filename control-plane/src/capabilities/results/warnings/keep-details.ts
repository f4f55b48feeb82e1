import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import {
  type AlertEvent,
  type CertificateExpiringDetail,
  type DnsChangedDetail,
  publishEvents,
} from '../../alerts/index.js';
import type { Tx } from '../../../platform/db/database.js';
import { DEFAULT_SSL } from '../../monitors/index.js';
import { daysLeft } from './check-answer.js';
import { answersOf, detectDetailChange, type KeptDetail } from './detect-detail-change.js';
import { dedupeDnsNotice, dedupeExpiryNotice, type NoticeMemory } from './dedupe-notice.js';
import { detailStore, type DetailSubject, type NewSeriesAnswer } from './detail-store.js';

/** Something that people may have to hear of, if they have not. */
interface News {
  subject: DetailSubject;
  result: CheckResult;
  decide(memory: NoticeMemory): { memory: NoticeMemory; event: Pick<AlertEvent, 'type' | 'detail'> | null };
}

/**
 * Keeps what SSL and DNS checks saw, and tells of certificates that will expire and of names that
 * changed, in the transaction that takes the results in. Called again with the same results, it changes nothing.
 * @param results those of a batch that said anything, by monitor, kind and time
 */
export async function keepDetails(
  deps: { clock: Clock },
  tx: Tx,
  region: Region,
  results: readonly CheckResult[],
): Promise<void> {
  const nowMs = deps.clock.now();
  const series = bySeries(results);
  const answers = answersOf(results);
  const keys = series.map((own) => {
    const hashes = new Set(own.flatMap((result) => answers.get(result)?.hash ?? []));
    return { ...own[0]!.key, hash: hashes.size === 1 ? [...hashes][0]! : null };
  });
  const known = new Map(
    (await detailStore.lockLastAnswers(tx, region, keys)).map((seen) => [`${seen.monitorKey} ${seen.kind}`, seen]),
  );
  const keysOnce = [...new Set(keys.map(({ monitorKey }) => monitorKey))];
  const subjects = new Map(
    (await detailStore.subjects(tx, region, keysOnce)).map((subject) => [subject.monitorKey, subject]),
  );

  const details: KeptDetail[] = [];
  const seen: NewSeriesAnswer[] = [];
  const news: News[] = [];
  for (const own of series) {
    const { monitorKey, kind } = own[0]!.key;
    const subject = subjects.get(monitorKey);
    // What the monitor is not, or no longer, asked about is not kept.
    if (!subject?.monitorTypes.includes(kind === 'ssl' ? 'SslCertificate' : 'Dns')) continue;
    const target = kind === 'ssl' ? subject.sslTarget : subject.dnsTarget;
    const before = known.get(`${monitorKey} ${kind}`) ?? null;
    const decided = detectDetailChange(before, own, { ...subject, target }, nowMs, answers);
    details.push(...decided.details);
    if (decided.seen) seen.push({ ...decided.seen, monitorKey, kind, knownHash: before?.hash ?? null });
    const current = new Set(decided.current);
    for (const detail of decided.details)
      if (current.has(detail.result)) news.push(...newsOf(subject, region, detail, nowMs));
  }
  if (details.length + seen.length > 0) await detailStore.keep(tx, region, details, seen);
  if (news.length > 0) await tell(deps, tx, news);
}

/** Results come in the order of their series. */
function bySeries(results: readonly CheckResult[]): CheckResult[][] {
  const series: CheckResult[][] = [];
  for (const result of results) {
    const last = series.at(-1);
    const { monitorKey, kind } = result.key;
    if (last && last[0]!.key.monitorKey === monitorKey && last[0]!.key.kind === kind) last.push(result);
    else series.push([result]);
  }
  return series;
}

function newsOf(
  subject: DetailSubject,
  region: Region,
  { result, content, changes }: KeptDetail,
  nowMs: number,
): News[] {
  if (content.kind === 'dns') {
    if (changes === null) return [];
    const detail: DnsChangedDetail = { region, changes, records: content.records, resolver: content.resolver };
    return [
      {
        subject,
        result,
        decide: (memory) => {
          const told = dedupeDnsNotice(memory, { region, changes }, nowMs);
          return {
            memory: told.memory,
            event: told.isNews ? { type: 'monitor.dns_changed', detail: { ...detail } } : null,
          };
        },
      },
    ];
  }
  const { subject: name, issuer, serialNumber, validFrom, validTo, fingerprint256 } = content;
  const left = daysLeft(validTo, result.startedAtMs);
  const certificate = { fingerprint: fingerprint256, daysLeft: left, validToMs: Date.parse(validTo) };
  const thresholds = subject.expiryThresholdDays ?? DEFAULT_SSL.expiryThresholdDays;
  const decide: News['decide'] = (memory) => {
    const told = dedupeExpiryNotice(memory, certificate, thresholds);
    if (told.thresholdDays === null) return { memory, event: null };
    const detail: CertificateExpiringDetail = {
      region,
      thresholdDays: told.thresholdDays,
      daysUntilExpiry: left,
      certificate: { subject: name, issuer, serialNumber, validFrom, validTo, fingerprint256 },
    };
    return { memory: told.memory, event: { type: 'monitor.certificate_expiring', detail: { ...detail } } };
  };
  // What was told stays told, so what is no news by an old memory is none: most checks need no lock.
  return decide(subject.told ?? {}).event === null ? [] : [{ subject, result, decide }];
}

async function tell(deps: { clock: Clock }, tx: Tx, news: readonly News[]): Promise<void> {
  const subjects = new Map(news.map(({ subject }) => [subject.monitorKey, subject]));
  const memories = await detailStore.lockNotices(tx, [...subjects.values()]);
  const events: AlertEvent[] = [];
  for (const { subject, result, decide } of news) {
    const { workspaceId, monitorKey } = subject;
    const { memory, event } = decide(memories.get(monitorKey) ?? {});
    memories.set(monitorKey, memory);
    if (event) events.push({ ...event, workspaceId, monitorKey, incidentId: null, atMs: result.startedAtMs });
  }
  await detailStore.saveNotices(tx, memories);
  await publishEvents(deps, tx, events);
}
