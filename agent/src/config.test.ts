import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { expect } from 'chai';
import { ownAddresses } from '@watchpost/shared/own-addresses';
import { readConfig, type ConfigError } from './config.js';

const GOOD = {
  CONTROL_PLANE_URL: 'https://control.example:8443',
  AGENT_TOKEN: 'wpa_secret',
  DATA_DIR: '/var/lib/agent',
};

function faultsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
}

describe('the agent’s configuration', () => {
  it('requires an address, a token and a folder, and no other setting', () => {
    const config = readConfig(GOOD);
    expect(config.controlPlaneUrls.map(({ host }) => host)).to.deep.equal(['control.example:8443']);
    expect(config).to.include({
      dataDir: '/var/lib/agent',
      metricsPort: 9465,
      metricsHost: '127.0.0.1',
      logLevel: 'info',
      nameServerPort: 53,
    });
    expect(config.token).to.deep.equal({ secret: 'wpa_secret', authorityPin: null });
    expect(config.monitorEgress.allows('127.0.0.1')).to.equal(false);
  });

  it('reads every authority of a file, and refuses a file without any or with a broken one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'watchpost-config-'));
    const NODE_EXTRA_CA_CERTS = join(folder, 'roots.pem');
    const extraRoots = (text: string) => {
      writeFileSync(NODE_EXTRA_CA_CERTS, text);
      return readConfig({ ...GOOD, NODE_EXTRA_CA_CERTS }).extraRoots;
    };
    const [one, two] = rootCertificates as [string, string];
    try {
      expect(readConfig(GOOD).extraRoots).to.deep.equal([]);
      expect(extraRoots(`# ours\n${one}\n\n${two}\n`)).to.deep.equal([one, two]);
      const broken = one.replace(/[A-Za-z]{20}/, 'AAAAAAAAAAAAAAAAAAAA');
      for (const text of ['', 'nothing', `${one}\n${broken.slice(0, 200)}\n-----END CERTIFICATE-----`])
        expect(() => extraRoots(text), text).to.throw(/NODE_EXTRA_CA_CERTS .*a PEM file of authorities/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('reads the keys of a root zone of its own from a text or a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'watchpost-config-'));
    const file = join(folder, 'root.ds');
    const tagsOf = (DNS_ROOT_ANCHORS: string) =>
      readConfig({ ...GOOD, DNS_ROOT_ANCHORS }).rootAnchors?.map(({ tag }) => tag);
    const digest = 'E0'.repeat(32);
    try {
      writeFileSync(
        file,
        `; ours\n. 172800 IN DS 1 13 2 ${digest}\n.\tIN\tDS 2 8 2 ${digest.slice(0, 32)} ${digest.slice(32)}\n`,
      );
      expect(tagsOf('')).to.equal(undefined);
      expect(tagsOf(`1 8 2 ${digest}, 3 15 2 ${digest}`)).to.deep.equal([1, 3]);
      expect(tagsOf(file)).to.deep.equal([1, 2]);
      for (const text of [
        'x',
        '1 8 2',
        `1 5 2 ${digest}`,
        `1 8 1 ${digest}`,
        `70000 8 2 ${digest}`,
        join(folder, 'none'),
      ])
        expect(() => tagsOf(text), text).to.throw(/DNS_ROOT_ANCHORS .*DS records of the root zone/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('reports all faults at once, without the token', () => {
    const faults = faultsOf({
      CONTROL_PLANE_URL: 'ftp://x',
      AGENT_TOKEN: 'two words',
      METRICS_PORT: '70000',
      METRICS_HOST: 'here',
      PROBE_ALLOW_CIDRS: '10.0.0.0/99',
      PROBE_DENY_CIDRS: 'here',
      LOG_LEVEL: 'loud',
      SPOOL_MAX_MB: '-1',
      NAME_SERVER_PORT: '0',
    });
    expect(faults.map((fault) => fault.split(' ')[0])).to.have.members([
      'CONTROL_PLANE_URL',
      'AGENT_TOKEN',
      'DATA_DIR',
      'METRICS_HOST',
      'METRICS_PORT',
      'PROBE_ALLOW_CIDRS',
      'PROBE_DENY_CIDRS',
      'LOG_LEVEL',
      'SPOOL_MAX_MB',
      'NAME_SERVER_PORT',
    ]);
    expect(faults.join()).to.not.contain('two words');
  });

  it('applies denied ranges to both policies, and denies this machine’s addresses by default', () => {
    const [own] = ownAddresses().filter((address) => !/^(?:127\.|::1|fe80)/.test(address));
    const config = readConfig({
      ...GOOD,
      PROBE_ALLOW_CIDRS: '127.0.0.0/8',
      PUBLIC_CHECK_ALLOW_CIDRS: '127.0.0.0/8',
      PROBE_DENY_CIDRS: '127.9.0.0/16, 8.8.8.8',
    });
    for (const policy of [config.monitorEgress, config.publicEgress]) {
      expect(policy.allows('127.0.0.1')).to.equal(true);
      for (const address of ['127.9.0.1', '8.8.8.8']) expect(policy.allows(address), address).to.equal(false);
      if (own !== undefined) expect(policy.allows(own), own).to.equal(false);
    }
    if (own === undefined) return;
    expect(readConfig({ ...GOOD, PROBE_ALLOW_CIDRS: own }).monitorEgress.allows(own)).to.equal(true);
  });

  it('accepts several addresses of the control plane, and reports each invalid one', () => {
    const hostsOf = (text: string) =>
      readConfig({ ...GOOD, CONTROL_PLANE_URL: text }).controlPlaneUrls.map(({ host }) => host);
    expect(hostsOf('https://a.example:8443, https://b.example:8443,https://a.example:8443,')).to.deep.equal([
      'a.example:8443',
      'b.example:8443',
    ]);
    const faults = faultsOf({ ...GOOD, CONTROL_PLANE_URL: 'https://a:1,ftp://x,https://b:1,http://10.0.0.1' });
    expect(faults).to.have.length(2);
    expect(faults[0]).to.include('CONTROL_PLANE_URL has "ftp://x"');
    expect(faults[1]).to.include('"http://10.0.0.1"');
    expect(faultsOf({ ...GOOD, CONTROL_PLANE_URL: 'https://a:1,http://127.0.0.1:1' }).join()).to.include('of one kind');
    const eleven = Array.from({ length: 11 }, (_, at) => `https://a${at}:1`).join();
    expect(faultsOf({ ...GOOD, CONTROL_PLANE_URL: eleven }).join()).to.include('at most 10');
    expect(faultsOf({ ...GOOD, CONTROL_PLANE_URL: ' , ' }).join()).to.include('is not set');
  });

  it('reads the token from a file, and accepts none if the agent can be enrolled', () => {
    const folder = mkdtempSync(join(tmpdir(), 'watchpost-config-'));
    const file = join(folder, 'token');
    writeFileSync(file, `wpa_secret.${'p'.repeat(43)}\n`);
    const { AGENT_TOKEN: _, ...rest } = GOOD;
    expect(readConfig({ ...rest, AGENT_TOKEN_FILE: file }).token).to.deep.equal({
      secret: 'wpa_secret',
      authorityPin: 'p'.repeat(43),
    });
    expect(faultsOf({ ...GOOD, AGENT_TOKEN_FILE: file })).to.have.length(1);
    expect(faultsOf({ ...rest, AGENT_TOKEN_FILE: `${file}.not` }).join()).to.contain('AGENT_TOKEN_FILE');
    // what the unit gives where the operator has taken the spent token away
    writeFileSync(file, '\n');
    expect(readConfig({ ...rest, AGENT_TOKEN_FILE: file }).token).to.equal(null);
    expect(faultsOf({ ...rest, AGENT_TOKEN_FILE: file, CONTROL_PLANE_URL: 'http://127.0.0.1:8443' }).join()).to.contain(
      'AGENT_TOKEN',
    );
    rmSync(folder, { recursive: true });
    expect(readConfig(rest).token).to.equal(null);
    expect(faultsOf({ ...rest, CONTROL_PLANE_URL: 'http://127.0.0.1:8443' }).join()).to.contain('AGENT_TOKEN');
  });

  it('accepts http:// only for loopback addresses', () => {
    for (const url of [
      'http://127.0.0.1:8443',
      'http://localhost:8443',
      'http://[::1]:8443',
      'http://[::ffff:127.0.0.1]:8443',
      'https://10.1.2.3:8443',
    ])
      expect(faultsOf({ ...GOOD, CONTROL_PLANE_URL: url }), url).to.deep.equal([]);
    for (const url of [
      'http://10.1.2.3:8443',
      'http://control.example',
      'http://127.0.0.1.evil.example',
      'http://0.0.0.0:8443',
      'http://[::]:8443',
      'http://[::ffff:10.1.2.3]:8443',
      'https://user:pw@host',
      'https://host/path',
    ])
      expect(faultsOf({ ...GOOD, CONTROL_PLANE_URL: url }), url).to.have.length(1);
  });
});
