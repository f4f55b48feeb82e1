import type { CheckKind } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { AlertEvent, CertificateExpiringDetail, DnsChangedDetail } from '../../channels/index.js';
import { publishEvents } from '../../paging/index.js';
import type { Tx } from '../../../platform/db/database.js';
import { sslSettings } from '../../monitors/index.js';
import { coveredMonitors } from '../../maintenance/index.js';
import { daysLeft } from './check-answer.js';
import { answersOf, detectDetailChange, type KeptDetail } from './detect-detail-change.js';
import { dedupeDnsNotice, dedupeExpiryNotice, type NoticeMemory } from './dedupe-notice.js';
import { detailStore, type DetailOfRegion, type DetailSubject, type NewSeriesAnswer } from './detail-store.js';
import { isSameSeries, type ResultOfRegion, type SeriesKey } from '../series/series.js';

const DETAILED_KINDS: ReadonlySet<CheckKind> = new Set(['ssl', 'dns']);

/** A change that may require a notice. */
interface Candidate {
  subject: DetailSubject;
  result: CheckResult;
  decide(memory: NoticeMemory): { memory: NoticeMemory; event: Pick<AlertEvent, 'type' | 'detail'> | null };
}

/**
 * Stores what SSL and DNS checks read, and notifies of expiring certificates and changed DNS records, in the transaction of
 * ingest. During maintenance nobody is notified: of an expiring certificate by the next check after it. A second call with the same results changes nothing.
 * @param results those of a batch, by monitor, kind, region and time
 */
export async function keepDetails(deps: { clock: Clock }, tx: Tx, results: readonly ResultOfRegion[]): Promise<void> {
  const detailed = results.filter(
    ({ result: { key, outcome } }) => DETAILED_KINDS.has(key.kind) && outcome.kind !== 'inconclusive',
  );
  if (detailed.length === 0) return;
  const nowMs = deps.clock.now();
  const series = bySeries(detailed);
  const answers = answersOf(detailed.map(({ result }) => result));
  const wanted = series.map((own) => {
    const hashes = new Set(own.results.flatMap((result) => answers.get(result)?.hash ?? []));
    return { ...own, hash: hashes.size === 1 ? [...hashes][0]! : null };
  });
  const known = new Map((await detailStore.lockLastAnswers(tx, wanted)).map((last) => [nameOf(last), last]));
  const keysOnce = [...new Set(series.map(({ monitorKey }) => monitorKey))];
  const subjects = new Map((await detailStore.subjects(tx, keysOnce)).map((subject) => [subject.monitorKey, subject]));

  const details: DetailOfRegion[] = [];
  const latest: NewSeriesAnswer[] = [];
  const candidates: Candidate[] = [];
  for (const own of series) {
    const { monitorKey, kind, region } = own;
    const subject = subjects.get(monitorKey);
    if (!subject || !isCheckedIn(subject, region)) continue;
    // Details of kinds that the monitor does not have, or no longer, are not stored.
    if (!subject.monitorTypes.includes(kind === 'ssl' ? 'SslCertificate' : 'Dns')) continue;
    const target = kind === 'ssl' ? subject.sslTarget : subject.dnsTarget;
    const before = known.get(nameOf(own)) ?? null;
    const decided = detectDetailChange(before, own.results, { ...subject, target }, nowMs, answers);
    details.push(...decided.details.map((detail) => ({ ...detail, region })));
    if (decided.last) latest.push({ ...decided.last, monitorKey, kind, region, knownHash: before?.hash ?? null });
    const current = new Set(decided.current);
    for (const detail of decided.details)
      if (current.has(detail.result)) candidates.push(...candidatesOf(subject, region, detail, nowMs));
  }
  if (details.length + latest.length > 0) await detailStore.keep(tx, details, latest);
  if (candidates.length === 0) return;
  const covered = await coveredMonitors(tx, keysOnce, new Date(nowMs));
  const uncovered = candidates.filter(({ subject }) => !covered.has(subject.monitorKey));
  if (uncovered.length > 0) await notify(deps, tx, uncovered);
}

/** Groups results, which are sorted by series. */
function bySeries(results: readonly ResultOfRegion[]): (SeriesKey & { results: CheckResult[] })[] {
  const series: (SeriesKey & { results: CheckResult[] })[] = [];
  let last: ResultOfRegion | undefined;
  for (const next of results) {
    if (last && isSameSeries(last, next)) series.at(-1)!.results.push(next.result);
    else series.push({ ...next.result.key, region: next.region, results: [next.result] });
    last = next;
  }
  return series;
}

function nameOf({ monitorKey, kind, region }: SeriesKey): string {
  return `${monitorKey} ${kind} ${region}`;
}

function isCheckedIn({ checkedFrom }: DetailSubject, region: Region): boolean {
  return checkedFrom.includes(region);
}

function candidatesOf(
  subject: DetailSubject,
  region: Region,
  { result, content, changes }: KeptDetail,
  nowMs: number,
): Candidate[] {
  if (content.kind === 'dns') {
    if (changes === null) return [];
    return [
      {
        subject,
        result,
        decide: (memory) => {
          const { memory: next, changes: fresh } = dedupeDnsNotice(memory, { region, changes }, nowMs);
          const { records, resolver } = content;
          const detail: DnsChangedDetail = { region, changes: fresh, records, resolver };
          const event = { type: 'monitor.dns_changed' as const, detail: { ...detail } };
          return { memory: next, event: fresh.length > 0 ? event : null };
        },
      },
    ];
  }
  const { subject: name, issuer, serialNumber, validFrom, validTo, fingerprint256 } = content;
  const left = daysLeft(validTo, result.startedAtMs);
  const [validFromMs, validToMs] = [Date.parse(validFrom), Date.parse(validTo)];
  const certificate = { fingerprint: fingerprint256, daysLeft: left, validFromMs, validToMs };
  const thresholds = subject.expiryThresholdDays ?? sslSettings.defaults.expiryThresholdDays;
  const decide: Candidate['decide'] = (memory) => {
    const notice = dedupeExpiryNotice(memory, certificate, thresholds);
    if (notice.thresholdDays === null) return { memory, event: null };
    const detail: CertificateExpiringDetail = {
      region,
      thresholdDays: notice.thresholdDays,
      daysUntilExpiry: left,
      certificate: { subject: name, issuer, serialNumber, validFrom, validTo, fingerprint256 },
    };
    return { memory: notice.memory, event: { type: 'monitor.certificate_expiring', detail: { ...detail } } };
  };
  // Sent notices stay in the memory: where even an old one yields no event, no lock is needed. Most checks are such.
  return decide(subject.notices ?? {}).event === null ? [] : [{ subject, result, decide }];
}

async function notify(deps: { clock: Clock }, tx: Tx, candidates: readonly Candidate[]): Promise<void> {
  const subjects = new Map(candidates.map(({ subject }) => [subject.monitorKey, subject]));
  const memories = await detailStore.lockNotices(tx, [...subjects.values()]);
  const events: AlertEvent[] = [];
  for (const { subject, result, decide } of candidates) {
    const { workspaceId, monitorKey } = subject;
    const { memory, event } = decide(memories.get(monitorKey) ?? {});
    memories.set(monitorKey, memory);
    if (event) events.push({ ...event, workspaceId, monitorKey, incidentId: null, atMs: result.startedAtMs });
  }
  await detailStore.saveNotices(tx, memories);
  await publishEvents(deps, tx, events);
}
