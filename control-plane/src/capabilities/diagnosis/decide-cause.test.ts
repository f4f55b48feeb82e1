import { expect } from 'chai';
import { type Cause, CAUSE_NAMES, decideCause, type Observed } from './decide-cause.js';

const QUIET: Observed = {
  incidentType: 'Availability',
  phase: '',
  reason: '',
  message: '',
  isPartial: false,
  statusCode: null,
  failing: 3,
  fine: 0,
  failedDependencies: [],
  changed: new Set(),
  followsMaintenance: false,
  certificate: null,
  dnsDiffers: false,
  slowPhase: null,
  report: null,
  domain: null,
  recent: 0,
  rechecked: [],
};
const status = (statusCode: number): Partial<Observed> => ({
  phase: 'content',
  reason: 'unexpected_status',
  statusCode,
});
const refused = { phase: 'connect', reason: 'connection_refused' };
/** As an agent reports a certificate that it does not accept. */
const unaccepted = (message: string): Partial<Observed> => ({ phase: 'tls', reason: 'certificate_invalid', message });
const certificate = { daysUntilExpiry: 20, chainTrusted: true, hostnameMatches: true };

/** What was recorded of incidents, each with the cause that people found. */
const RECORDED: [name: string, seen: Partial<Observed>, cause: Cause][] = [
  [
    'the certificate expired overnight',
    unaccepted('The certificate of shop.example has expired: CN=shop.example was valid until 3 March 2027.'),
    'certificate_expired',
  ],
  [
    'an intermediate expired',
    unaccepted('An intermediate or root certificate of shop.example has expired.'),
    'certificate_expired',
  ],
  [
    'its authority revoked the certificate',
    unaccepted('The certificate of shop.example was revoked, according to the OCSP response of the server.'),
    'certificate_revoked',
  ],
  [
    'the key of the certificate is too short',
    unaccepted(
      'The certificate CN=shop.example, in the chain of shop.example, has a key of 768 bits, which is too short.',
    ),
    'tls_failing',
  ],
  [
    'a renewal failed, 5 days are left',
    { incidentType: 'SslExpiry', certificate: { ...certificate, daysUntilExpiry: 5 } },
    'certificate_expiring',
  ],
  [
    'an SSL check found it expired',
    { incidentType: 'SslExpiry', certificate: { ...certificate, daysUntilExpiry: -1 } },
    'certificate_expired',
  ],
  [
    'a load balancer served the default certificate',
    unaccepted('The certificate at 203.0.113.7:443 is not for shop.example, but for lb.example.'),
    'certificate_wrong_name',
  ],
  [
    'the intermediate was not deployed',
    unaccepted(
      'The server at 203.0.113.7:443 does not send the intermediate certificate CN=R3, without which it fails.',
    ),
    'certificate_untrusted',
  ],
  ['the name was moved to a host without the site', { ...refused, changed: new Set(['dns'] as const) }, 'dns_moved'],
  ['a record was removed', { incidentType: 'Dns', dnsDiffers: true }, 'dns_moved'],
  ['a domain was not renewed', { incidentType: 'Domain', domain: 'expiring' }, 'domain_expiring'],
  ['its days of grace ran', { incidentType: 'Domain', domain: 'expired' }, 'domain_expired'],
  ['the registrar held it', { incidentType: 'Domain', domain: 'held' }, 'domain_held'],
  ['it was deleted', { incidentType: 'Domain', domain: 'notFound', recent: 9 }, 'domain_not_found'],
  [
    'nobody signed the zone again',
    { phase: 'dns', message: 'The answer of 192.0.2.1 fails DNSSEC: it expired.' },
    'dnssec_broken',
  ],
  [
    'a record is not the expected one',
    { incidentType: 'Dns', phase: 'content', reason: 'dns_mismatch' },
    'dns_unexpected',
  ],
  ['only IPv6 is dead', { ...refused, isPartial: true }, 'some_addresses'],
  [
    'two rules redirect to each other',
    { phase: 'content', reason: 'too_many_redirects', statusCode: 302 },
    'redirects_wrong',
  ],
  ['a worker crashes at each request', { phase: 'firstByte', reason: 'connection_reset' }, 'connection_cut'],
  [
    'a line is bad',
    {
      phase: 'connect',
      reason: 'timeout',
      message: 'The host at 192.0.2.1 answered 2 of 5 within 5 s: 60 % were lost, and at most 20 % may be.',
    },
    'packets_lost',
  ],
  ['the domain lapsed', { phase: 'dns', reason: 'dns_not_found' }, 'dns_failing'],
  ['the name servers were down', { phase: 'dns', reason: 'timeout' }, 'dns_failing'],
  [
    'a deploy renamed a JSON field',
    { incidentType: 'Assertion', statusCode: 200, changed: new Set(['mark'] as const) },
    'deploy_broke_it',
  ],
  ['a deploy crashed at start', { ...status(502), changed: new Set(['mark'] as const) }, 'deploy_broke_it'],
  ['a job emptied the price list', { incidentType: 'Assertion', statusCode: 200 }, 'answer_changed'],
  ['one region was blind', { ...refused, failing: 1, fine: 2 }, 'one_region'],
  ['a CDN blocked one region', { ...status(403), failing: 1, fine: 4 }, 'one_region'],
  ['the API behind the shop was down', { ...status(503), failedDependencies: ['API'] }, 'dependency_down'],
  ['the identity provider was down', { phase: 'auth', failedDependencies: ['Sign-in'] }, 'dependency_down'],
  ['the database was slow', { incidentType: 'Latency', slowPhase: 'firstByte' }, 'slow_server'],
  ['the database was locked', { phase: 'firstByte', reason: 'timeout' }, 'slow_server'],
  ['a provider’s network was full', { incidentType: 'Latency', slowPhase: 'connect' }, 'slow_network'],
  ['a pod was restarted again and again', { ...status(503), recent: 4 }, 'flapping'],
  ['work went on after its window', { ...status(503), followsMaintenance: true }, 'maintenance_overran'],
  [
    'somebody changed what the monitor expects',
    { ...status(301), changed: new Set(['configuration'] as const) },
    'settings_changed',
  ],
  ['the process died', refused, 'unreachable'],
  ['an exception in the code', status(500), 'server_error'],
  ['a token expired', status(401), 'access_refused'],
  ['a page was removed', status(404), 'page_gone'],
  ['the checks were limited', status(429), 'rate_limited'],
  ['a nightly backup did not run', { incidentType: 'Heartbeat', report: 'late' }, 'job_missing'],
  ['an import failed', { incidentType: 'Heartbeat', report: 'reported' }, 'job_failed'],
];

describe('the cause of an incident', () => {
  for (const [name, seen, cause] of RECORDED)
    it(`is ${cause} where ${name}`, () => expect(decideCause({ ...QUIET, ...seen }).cause).to.equal(cause));

  it('is given with a reason, and with what to do next, and is unknown rather than guessed', () => {
    expect(decideCause(QUIET)).to.include({ cause: 'unknown', confidence: 'low' });
    for (const [, seen] of RECORDED) {
      const { sentence, suggestions } = decideCause({ ...QUIET, ...seen });
      expect(sentence).to.match(/\.$/);
      expect(suggestions).to.have.length.above(1);
    }
    expect(new Set(CAUSE_NAMES).size).to.equal(CAUSE_NAMES.length);
  });

  it('is given with the hint that all checks which were made now succeed', () => {
    const hint = /works now/;
    expect(decideCause({ ...QUIET, ...refused, rechecked: ['up', 'up'] }).suggestions[0]).to.match(hint);
    expect(decideCause({ ...QUIET, ...refused, rechecked: ['up', 'down'] }).suggestions[0]).to.not.match(hint);
  });
});
