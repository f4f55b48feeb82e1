import { spawnSync } from 'node:child_process';

/** Two networks: of an agent, which reaches the machine of the tests at one address, and of sites that only that agent reaches. */
export interface ClosedNetwork {
  /** The address of this machine that the agent reaches. */
  gateway: string;
  site: string;
  range: string;
  inside(where: 'agent' | 'sites', ...command: readonly string[]): { executable: string; args: string[] };
  /** Cuts the agent's connection to this machine, or mends it. */
  cut(isCut: boolean): void;
  remove(): void;
}

/** @returns what keeps this machine from having network namespaces, or null */
export function whyNoNamespaces(): string | null {
  if (process.platform !== 'linux') return 'it is not Linux';
  const name = `wp-probe-${process.pid}`;
  const made = spawnSync('ip', ['netns', 'add', name], { encoding: 'utf8' });
  if (made.error) return 'there is no program `ip`';
  if (made.status !== 0) return `network namespaces are not permitted: ${made.stderr.trim()}`;
  spawnSync('ip', ['netns', 'del', name]);
  return null;
}

/** @param index of those of one process, from 0 */
export function makeClosedNetwork(index = 0): ClosedNetwork {
  const id = `${process.pid % 10_000}-${index}`;
  const net = 1 + ((2 * process.pid + index) % 250);
  const [agent, sites, outer] = [`wp-agent-${id}`, `wp-sites-${id}`, `wpo${id}`];
  const [gateway, range, site] = [`10.231.${net}.1`, '10.77.0.0/24', '10.77.0.5'];
  const ip = (text: string) => {
    const { status, stderr } = spawnSync('ip', text.split(' '), { encoding: 'utf8' });
    if (status !== 0) throw new Error(`ip ${text}: ${stderr}`);
  };
  for (const text of [
    `netns add ${agent}`,
    `netns add ${sites}`,
    `link add ${outer} type veth peer name wan netns ${agent}`,
    `-n ${agent} link add lan type veth peer name lan netns ${sites}`,
    `addr add ${gateway}/30 dev ${outer}`,
    `link set ${outer} up`,
    `-n ${agent} addr add 10.231.${net}.2/30 dev wan`,
    `-n ${agent} addr add 10.77.0.2/24 dev lan`,
    `-n ${sites} addr add ${site}/24 dev lan`,
    ...['lo', 'wan', 'lan'].map((device) => `-n ${agent} link set ${device} up`),
    ...['lo', 'lan'].map((device) => `-n ${sites} link set ${device} up`),
  ])
    ip(text);
  return {
    gateway,
    range,
    site,
    inside: (where, ...command) => ({
      executable: 'ip',
      args: ['netns', 'exec', where === 'agent' ? agent : sites, ...command],
    }),
    cut: (isCut) => ip(`link set ${outer} ${isCut ? 'down' : 'up'}`),
    remove() {
      for (const name of [agent, sites]) spawnSync('ip', ['netns', 'del', name]);
    },
  };
}
