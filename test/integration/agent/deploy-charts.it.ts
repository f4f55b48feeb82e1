import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configVariables } from '@watchpost/control-plane/config/config-variables';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { Json } from '../../support/product.js';
import { renderChart } from '../../support/render-chart.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const chartFolder = (name: string): string => join(ROOT, 'deploy/helm', name);

/** Every switch on, and every list with something. */
const EVERYTHING = {
  imagePullSecrets: [{ name: 'registry' }],
  env: { NODE_EXTRA_CA_CERTS: '/etc/watchpost/ca/ca.pem' },
  volumes: [{ name: 'ca', configMap: { name: 'ca' } }],
  volumeMounts: [{ name: 'ca', mountPath: '/etc/watchpost/ca' }],
  podAnnotations: { team: 'ops' },
  nodeSelector: { pool: 'ops' },
  tolerations: [{ key: 'ops', operator: 'Exists' }],
  networkPolicy: { apiFrom: [{ podSelector: { matchLabels: { app: 'ingress' } } }] },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
};
const OF_CONTROL_PLANE = {
  gatewayService: { annotations: { kind: 'tcp' } },
  ingress: { enabled: true, className: 'nginx', annotations: { kind: 'http' } },
  prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
};
const CHARTS: Record<string, Record<string, Json>> = {
  watchpost: { ...EVERYTHING, ...OF_CONTROL_PLANE },
  'watchpost-agent': { ...EVERYTHING, storage: { className: 'fast' } },
};

/** A copy of `value` that keeps in `unread` the paths that nothing has read: the schemas read what they know, and refuse nothing else. */
function watch(value: Json, path: string, unread: Set<string>): Json {
  if (typeof value !== 'object' || value === null) return value;
  const children = Object.keys(value as object).map((key) => {
    unread.add(`${path}/${key}`);
    return [key, watch(value[key], `${path}/${key}`, unread)] as const;
  });
  const copy = (Array.isArray(value) ? children.map(([, child]) => child) : Object.fromEntries(children)) as object;
  return new Proxy(copy, {
    get(target, key, receiver) {
      unread.delete(`${path}/${String(key)}`);
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
}

/** @returns what Kubernetes would refuse in a manifest, or not know */
async function faultsOf(manifest: Json): Promise<string[]> {
  const { apiVersion, kind } = manifest as { apiVersion: string; kind: string };
  const owner = apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models';
  const models = (await import(`${owner}/${apiVersion}/${kind}`)) as Record<
    string,
    { prototype: { validate(): void } }
  >;
  const unread = new Set<string>();
  try {
    // It reads the manifest itself: a model has a copy, and making it reads all.
    models[kind]!.prototype.validate.call(watch(manifest, kind, unread));
  } catch (error) {
    return [`${kind} ${manifest.metadata.name}: ${(error as Error).message}`];
  }
  return [...unread].map((path) => `${path} is not known`);
}

const podOf = ({ kind, spec }: Json): Json =>
  ['Deployment', 'StatefulSet', 'Job'].includes(kind as string) ? spec.template : undefined;
const matches = (labels: Json, pod: Json): boolean =>
  Object.entries(labels as object).every(([key, value]) => pod.metadata.labels[key] === value);

describe('the Helm charts', () => {
  const render = (name: string, values = CHARTS[name]!) => renderChart(chartFolder(name), 'wp', values);

  for (const name of Object.keys(CHARTS)) {
    it(`make manifests that Kubernetes takes, of ${name}`, async () => {
      for (const values of [{}, CHARTS[name]!]) {
        const manifests = render(name, values);
        expect(manifests.length).to.be.above(3);
        expect((await Promise.all(manifests.map(faultsOf))).flat()).to.deep.equal([]);
        const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
        expect(names).to.deep.equal([...new Set(names)]);
      }
    });

    it(`select pods that exist, and ports that they have, in ${name}`, () => {
      const manifests = render(name);
      const pods = manifests.map(podOf).filter((pod) => pod !== undefined);
      const selectors = manifests.flatMap(({ kind, spec }) =>
        kind === 'Service'
          ? [spec.selector]
          : kind === 'NetworkPolicy'
            ? [spec.podSelector.matchLabels]
            : (kind !== 'ServiceMonitor' && spec?.selector?.matchLabels) || [],
      );
      expect(selectors.length).to.be.above(3);
      for (const selector of selectors)
        expect(
          pods.some((pod) => matches(selector, pod)),
          JSON.stringify(selector),
        ).to.equal(true);
      const ports = new Set(
        pods.flatMap(({ spec }) =>
          spec.containers.flatMap((one: Json) => (one.ports ?? []).map((port: Json) => port.name)),
        ),
      );
      const asked = [...JSON.stringify(manifests).matchAll(/"(?:targetPort|port)":"(\w+)"/g)].map(([, port]) => port);
      expect(asked).to.include.members([...ports]);
      for (const port of asked) expect(ports.has(port), port).to.equal(true);
    });

    it(`run without privileges on a read-only file system, with every variable, in ${name}`, () => {
      const variables =
        name === 'watchpost' ? Object.keys(configVariables.shape) : ['SPOOL_MAX_MB', 'REFERENCE_TARGETS'];
      const own = ['ROLES', 'RUN_MIGRATIONS', 'DATA_DIR', 'AGENT_TOKEN_FILE'];
      const env = Object.fromEntries(
        variables.filter((variable) => !own.includes(variable)).map((variable) => [variable, 'x']),
      );
      const pods = render(name, { env })
        .map(podOf)
        .filter((pod) => pod !== undefined);
      expect(pods.length).to.equal(name === 'watchpost' ? 4 : 1);
      for (const { spec } of pods) {
        expect(spec.securityContext)
          .to.include({ runAsNonRoot: true })
          .and.have.nested.property('seccompProfile.type', 'RuntimeDefault');
        expect(spec.automountServiceAccountToken).to.equal(false);
        for (const container of spec.containers) {
          expect(container.securityContext).to.deep.equal({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
          expect(container.resources).to.have.keys('requests', 'limits');
          const given = (container.env as Json[]).map((one) => one.name as string);
          expect(given)
            .to.include.members(Object.keys(env))
            .and.to.deep.equal([...new Set(given)]);
        }
      }
    });

    it(`have the version of the program, in ${name}`, () => {
      const { version } = JSON.parse(read('package.json')) as { version: string };
      expect(parse(read(`deploy/helm/${name}/Chart.yaml`))).to.include({ version, appVersion: version });
    });

    it(`name variables that exist, in ${name}`, () => {
      const known = read('control-plane/src/config/config-variables.ts') + read('agent/src/config.ts');
      for (const [variable] of read(`deploy/helm/${name}/values.yaml`).matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g))
        expect(known, variable).to.include(variable);
    });
  }

  it('run each role, and the migrations before them', () => {
    const manifests = render('watchpost', {});
    const envOf = (manifest: Json) => podOf(manifest).spec.containers[0].env as Json[];
    const roles = manifests
      .filter(({ kind }) => kind === 'Deployment')
      .map((one) => envOf(one).find(({ name }) => name === 'ROLES').value);
    expect(roles).to.deep.equal(['api', 'gateway', 'worker']);
    const [job] = manifests.filter(({ kind }) => kind === 'Job');
    expect(job.metadata.annotations['helm.sh/hook']).to.equal('pre-install,pre-upgrade');
    expect(podOf(job).spec.containers[0].envFrom).to.deep.equal([{ secretRef: { name: 'watchpost' } }]);
  });

  it('have the alert rules, and the jobs that these name', () => {
    const rules = parse(read('deploy/prometheus/watchpost.rules.yaml'));
    const manifests = Object.keys(CHARTS).flatMap((name) => render(name));
    expect(manifests.find(({ kind }) => kind === 'PrometheusRule').spec).to.deep.equal(rules);
    const jobs = manifests
      .filter(({ kind }) => kind === 'ServiceMonitor')
      .map(({ spec }) => {
        const service = manifests.find((one) => one.kind === 'Service' && matches(spec.selector.matchLabels, one));
        return service.metadata.labels[spec.jobLabel] as string;
      });
    expect(
      new Set([...read('deploy/prometheus/watchpost.rules.yaml').matchAll(/job="([\w-]+)"/g)].map(([, job]) => job)),
    ).to.deep.equal(new Set(jobs));
  });
});
