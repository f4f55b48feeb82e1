import { expect } from 'chai';
import fc from 'fast-check';
import { evidenceDocument } from './evidence-document.js';
import { MAX_DOCUMENT_BYTES } from './document-limits.js';
import { readEvidence } from './read-evidence.js';
import type { EvidenceDocumentData } from './read-evidence-document.js';
import { likelySecrets } from './redact-text.js';

const START = Date.UTC(2026, 10, 21, 12);
const iso = (ms: number) => new Date(ms).toISOString();
const ANN = '01a1fdfa-4600-760e-914b-5414a73c0fcd';

type Incident = EvidenceDocumentData['incident'];
interface Given {
  incident?: Partial<Incident>;
  context?: Record<string, unknown>;
  page?: Partial<EvidenceDocumentData>;
}

function pageOf({ incident = {}, context = {}, page = {} }: Given = {}): string {
  return evidenceDocument({
    incident: {
      id: ANN,
      workspaceId: ANN,
      monitorId: ANN,
      monitorName: 'Shop',
      incidentType: 'Availability',
      status: 'Ongoing',
      isClosed: false,
      severity: 'down',
      worstSeverity: 'down',
      regions: ['northeurope'],
      acknowledged: false,
      acknowledgedAt: null,
      acknowledgedBy: null,
      closedBy: null,
      started: iso(START),
      ended: null,
      durationFormatted: '1 min',
      failureReason: 'The server at 203.0.113.7:443 refused the connection.',
      dependentCount: 0,
      dependents: [],
      created: iso(START),
      lastModified: iso(START),
      context,
      notes: [],
      timeline: [{ at: iso(START), type: 'opened', actor: null, detail: {} }],
      ...incident,
    },
    subject: {
      workspaceId: ANN,
      workspaceName: 'Acme',
      timezone: 'UTC',
      monitorId: ANN,
      monitorKey: 1,
      name: 'Shop',
      url: 'https://shop.example/',
      monitorTypes: ['HttpAvailability'],
      checkedFrom: [],
      created: new Date(START - 40 * 86_400_000),
    },
    evidence: readEvidence(context),
    regions: [{ region: 'northeurope', verdict: 'failing', note: null, untilMs: null, lastMs: START }],
    nameOf: (userId) => (userId === ANN ? 'Ann' : null),
    day: { spans: [], latency: [] },
    secrets: [],
    nowMs: START + 90 * 60_000,
    ...page,
  });
}

const failure = (more: object = {}) => ({
  region: 'northeurope',
  scheduledAt: iso(START),
  startedAt: iso(START + 3),
  phase: 'content',
  reason: 'unexpected_status',
  message: 'The server answered with status 503.',
  statusCode: 503,
  address: '203.0.113.7:443',
  responseTime: 42,
  timings: { dns: 1, connect: 2, tls: 3, firstByte: 30, transfer: 6 },
  evidence: { headers: { server: 'nginx' }, bodyStart: 'out of order' },
  ...more,
});
/** What people read of it, on one line. */
const words = (html: string) =>
  html
    .replace(/<style>[^]*?<\/style>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the evidence document of an incident', () => {
  it('has a title that states what is or was wrong', () => {
    const h1 = (given: Given) => /<h1>(.*?)<\/h1>/.exec(pageOf(given))![1];
    expect(h1({})).to.equal('Shop is down');
    expect(h1({ incident: { severity: 'partial' } })).to.equal('Shop is partly down');
    expect(h1({ incident: { ended: iso(START + 1) } })).to.equal('Shop was down');
    expect(h1({ incident: { ended: iso(START + 1), severity: 'partial' } })).to.equal('Shop was down');
    expect(h1({ incident: { ended: iso(START + 1), severity: 'partial', worstSeverity: 'partial' } })).to.equal(
      'Shop was partly down',
    );
    expect(h1({ incident: { incidentType: 'SslExpiry', severity: 'warning' } })).to.equal(
      'Shop has a certificate problem',
    );
    expect(h1({ incident: { incidentType: 'Latency', severity: 'warning' } })).to.equal('Shop is slow');
    expect(h1({ incident: { incidentType: 'Dns', severity: 'warning', isClosed: true } })).to.equal(
      'Shop had a DNS problem',
    );
  });

  it('shows state, start, duration and names without addresses', () => {
    const text = (incident: Partial<Incident>) => words(pageOf({ incident }));
    expect(text({})).to.include('Open, not acknowledged').and.to.include('For 1 h 30 min');
    const acknowledged = { acknowledged: true, acknowledgedAt: iso(START + 60_000), acknowledgedBy: ANN };
    expect(text(acknowledged)).to.include('Open, acknowledged by Ann on 21 Nov 2026, 12:01 UTC');
    expect(text({ ...acknowledged, acknowledgedBy: '01a1fdfa-4600-760e-914b-000000000000' })).to.include(
      'acknowledged by a member of the workspace',
    );
    expect(text({ ended: iso(START + 65_000) }))
      .to.include('Recovered, waiting to be closed')
      .and.to.include('Lasted 1 min 5 s');
    expect(text({ isClosed: true, ended: iso(START + 65_000) })).to.include('Over, closed because it recovered');
    expect(text({ isClosed: true, ended: iso(START + 65_000), closedBy: ANN })).to.include('Over, closed by Ann');
  });

  it('shows times in the zone of the workspace', () => {
    const subject = {
      ...JSON.parse(
        JSON.stringify({
          workspaceName: 'Acme',
          timezone: 'Europe/Berlin',
          name: 'Shop',
          url: 'https://shop.example/',
        }),
      ),
    };
    expect(words(pageOf({ page: { subject } }))).to.include('Since 21 Nov 2026, 13:00 CET');
  });

  it('shows phases, status, headers, body, certificate, DNS answers and second opinions', () => {
    const context = {
      failures: [failure()],
      secondOpinions: [
        { region: 'westus3', askedAt: iso(START), outcome: 'up', message: null, statusCode: 200, responseTime: 80 },
      ],
      certificate: {
        subject: 'CN=shop.example',
        issuer: 'CN=Authority',
        validFrom: '2026-01-01T00:00:00.000Z',
        validTo: '2026-11-24T00:00:00.000Z',
        daysUntilExpiry: 2,
        chainTrusted: false,
        hostnameMatches: true,
        subjectAltNames: ['shop.example'],
        fingerprint256: null,
        protocol: 'TLSv1.3',
        region: 'northeurope',
        chain: [],
      },
      dns: [
        {
          region: 'northeurope',
          before: { checkedAt: iso(START - 1_000), records: { A: ['192.0.2.1'] } },
          after: { resolver: '192.0.2.53:53', records: { A: ['192.0.2.2'] }, failures: {}, propagation: null },
          changes: [{ type: 'A', added: ['192.0.2.2'], removed: ['192.0.2.1'] }],
        },
      ],
    };
    const text = words(pageOf({ context }));
    for (const part of [
      'First byte 30 ms',
      'The response was not as expected.',
      'Status 503',
      'server nginx',
      'out of order',
      'Arizona, United States, 12:00:00 : OK , in 80 ms',
      'CN=shop.example',
      'The chain does not lead to a trusted authority',
      'It expires in 2 days',
      '− A 192.0.2.1',
      '+ A 192.0.2.2',
    ])
      expect(text, part).to.include(part);
    expect(text).to.include('Down');
  });

  it('shows the day around the incident', () => {
    const hour = (count: number) => iso(START + (count - 23) * 3_600_000);
    const spans = [
      { start: hour(0), end: hour(23), status: 'available' as const },
      { start: hour(23), end: hour(24), status: 'unavailable' as const },
    ];
    const latency = Array.from({ length: 20 }, (_, index) => ({ time: hour(index), average: 100 + index }));
    const html = pageOf({ page: { day: { spans, latency } } });
    expect(html).to.match(/<title>Availability: down 21 Nov 2026, 12:00 UTC to 13:00/);
    expect(html).to.include('Average latency, from 100 ms to 119 ms');
    expect(
      words(pageOf({ page: { day: { spans: [{ ...spans[0]!, status: 'unknown' }], latency: [] } } })),
    ).to.not.include('The 24 hours');
  });

  it('contains no credentials', () => {
    const context = {
      failures: [
        failure({
          message: 'It redirects to https://ann:pass-w0rd@shop.example/.',
          evidence: {
            headers: { location: 'https://ann:pass-w0rd@shop.example/?token=t0ken', 'x-echo': 'Bearer s3cr3t-key' },
            bodyStart: 'you sent Bearer s3cr3t-key and cookie: sid=1234abcd',
            hops: [
              { url: 'https://a:pass-w0rd@b.example/', statusCode: 302 },
              { url: 'https://b.example/?key=t0ken', statusCode: 200 },
            ],
          },
        }),
      ],
    };
    const html = pageOf({
      context,
      page: { secrets: likelySecrets({ url: 'https://shop.example/?api_key=s3cr3t-key', headers: {}, body: null }) },
    });
    for (const secret of ['pass-w0rd', 's3cr3t-key', 't0ken', '1234abcd']) expect(html, secret).to.not.include(secret);
  });

  it('names the step of each request of a run', () => {
    const hops = [
      { url: 'https://shop.example/', statusCode: 200 },
      { url: 'https://shop.example/login', statusCode: 500, step: 'log <in>' },
    ];
    const html = pageOf({ context: { failures: [failure({ evidence: { hops } })] } });
    expect(html).to.not.include('log <in>');
    expect(words(html)).to.match(
      /Requests of the run\W+https:\/\/shop.example\/ \(200\)\s+log &lt;in&gt;: https:\/\/shop.example\/login \(500\)/,
    );
  });

  it('contains no addresses of recipients', () => {
    const at = iso(START);
    const timeline: Incident['timeline'] = [
      { at, type: 'notified', actor: null, detail: { channel: 'email', destination: 'a***@example.com' } },
      { at, type: 'notified', actor: null, detail: { channel: 'email', destination: 'b***@example.com' } },
      { at, type: 'notified', actor: null, detail: { channel: 'sms', destination: '+35387***67' } },
      {
        at,
        type: 'notification_failed',
        actor: null,
        detail: { channel: 'email', answer: '550 <ann@example.com> unknown' },
      },
      { at, type: 'notification_failed', actor: null, detail: { team: 'Web', reason: 'Nobody of Web is on call.' } },
      {
        at,
        type: 'paged',
        actor: null,
        detail: { team: 'Web', people: [{ name: 'Ann' }, { name: 'bob@example.com' }] },
      },
      { at, type: 'acknowledged', actor: ANN, detail: { via: 'page' } },
      { at, type: 'note_added', actor: ANN, detail: { noteId: ANN } },
      { at, type: 'closed', actor: ANN, detail: { automatic: false } },
    ];
    const text = words(pageOf({ incident: { timeline } }));
    expect(text).to.not.match(/[\w.*]+@example|35387/);
    for (const part of [
      'Notified by email (2), SMS.',
      'A notification by email was not delivered.',
      'Nobody of Web is on call.',
      'Paged: Ann, a member of the workspace (Web).',
      'Ann acknowledged it by the link in a message.',
      'Ann added a note.',
      'Ann closed it.',
    ])
      expect(text, part).to.include(part);
  });

  it('is well-formed and smaller than 40 KB for any evidence', () => {
    const endless = { subject: '<'.repeat(60_000), issuer: '&', validFrom: '<'.repeat(60_000), validTo: 'soon' };
    const seen = {
      daysUntilExpiry: 1,
      subjectAltNames: ['<'.repeat(60_000)],
      fingerprint256: '<'.repeat(60_000),
      protocol: '<'.repeat(60_000),
      chain: null,
      chainTrusted: null,
      hostnameMatches: null,
      region: null,
    };
    expect(Buffer.byteLength(pageOf({ context: { certificate: { ...endless, ...seen } } }))).to.be.at.most(
      MAX_DOCUMENT_BYTES,
    );
    const nasty = fc.oneof(
      fc.string(),
      fc.constant('&<>"\''.repeat(500)),
      fc.constant('😀'.repeat(2_048)),
      fc.constant('</pre><script>'),
    );
    const evidence = fc.record({
      headers: fc.dictionary(nasty, nasty, { maxKeys: 60 }),
      bodyStart: nasty,
      received: nasty,
      resolved: fc.array(nasty, { maxLength: 50 }),
      hops: fc.array(fc.record({ url: nasty, statusCode: fc.integer() }), { maxLength: 12 }),
    });
    const failures = fc.array(
      evidence.map((seen) => failure({ evidence: seen, message: '<b>'.repeat(400), reason: String(Math.random()) })),
      { maxLength: 8 },
    );
    const dns = fc.array(
      fc.record({
        region: nasty,
        before: fc.constant(null),
        after: fc.record({
          resolver: nasty,
          records: fc.dictionary(fc.constantFrom('A', 'TXT', 'MX'), fc.array(nasty)),
          failures: fc.dictionary(nasty, nasty),
          propagation: fc.constant(null),
        }),
        changes: fc.array(fc.record({ type: nasty, added: fc.array(nasty), removed: fc.array(nasty) })),
      }),
      { maxLength: 8 },
    );
    const timeline = Array.from({ length: 500 }, (_, index) => ({
      at: iso(START + index * 1_000),
      type: 'region_failed' as const,
      actor: null,
      detail: { region: 'eastus2', message: '<'.repeat(500) },
    }));
    fc.assert(
      fc.property(failures, dns, fc.option(fc.anything()), (given, names, odd) => {
        const html = pageOf({
          incident: { timeline },
          context: { failures: given, dns: names, certificate: odd, latency: odd, secondOpinions: odd },
        });
        expect(Buffer.byteLength(html)).to.be.at.most(MAX_DOCUMENT_BYTES);
        expect(html).to.match(/<\/html>\s*$/);
        expect(html).to.not.include('<script');
      }),
      { numRuns: 30 },
    );
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('failures', 'certificate', 'dns', 'latency', 'secondOpinions', 'failingSince'),
          fc.anything(),
        ),
        (context) => {
          expect(pageOf({ context })).to.include('Shop is down');
        },
      ),
    );
  });
});
