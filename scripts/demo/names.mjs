import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseResolvConf } from '@watchpost/shared/names/resolv-conf';
import { records, startNameServer } from '../../test/dist/support/name-server.js';
import { printLine } from './print-line.mjs';

const ZONE = 'acme.example';
/** Each name in them exists, and is on this machine. */
const OWN_NAME = /^(?:.+\.)?(?:acme|demo)\.example$/i;
const HERE = '127.0.0.1';
/** Where the second name server of the zone is: macOS has no other address of 127.0.0.0/8. */
const SECOND = process.platform === 'linux' ? '127.0.0.2' : '::1';
/** Its resolver has what the second name server has. */
const LATE_REGION = 'southeastasia';
/** Until the zone first moves, then until its second server follows, then until it moves again. */
const FIRST_MOVE_MS = 30_000;
const LATE_MS = 240_000;
const CALM_MS = 900_000;
const PATIENCE_MS = 5_000;

/**
 * Names that exist only in the demo: two name servers of Acme's zone, of which the second one learns late of a change, and a
 * resolver for each region, which passes on the queries for all other names.
 */
export async function startNames({ dataDir, regions }) {
  const system = await readFile(process.env.RESOLV_CONF ?? '/etc/resolv.conf', 'utf8').catch(() => '');
  const { servers: upstreams } = parseResolvConf(system);
  let moves = 0;
  let early = recordsAt(moves);
  let late = early;
  const ownNames = (asked, own) => (OWN_NAME.test(asked.question.name) ? answerOf(asked, own) : null);

  const servers = [];
  const serve = async (behaviour, place) => {
    const server = await startNameServer({
      ...place,
      behaviour(asked) {
        // Only tests read what was asked: here it would grow for days.
        server.asked.length = 0;
        return behaviour(asked);
      },
    });
    servers.push(server);
    return server.port;
  };
  const port = await serve((asked) => ownNames(asked, early) ?? { rcode: 'REFUSED' }, { host: HERE });
  await serve((asked) => ownNames(asked, late) ?? { rcode: 'REFUSED' }, { host: SECOND, port });
  const others = system.split(/\r?\n/).filter((line) => !line.startsWith('nameserver'));
  for (const region of regions) {
    const own = await serve(
      (asked) => ownNames(asked, region === LATE_REGION ? late : early) ?? passOn(asked, upstreams),
      { host: HERE },
    );
    await writeFile(fileOf(dataDir, region), [`nameserver [${HERE}]:${own}`, ...others].join('\n'));
  }

  let timer;
  const move = () => {
    early = recordsAt(++moves);
    printLine(`THE ZONE MOVES: ${ZONE} has the address ${addressAt(moves)} now, and ns2.${ZONE} does not know it yet.`);
    timer = setTimeout(follow, LATE_MS);
  };
  const follow = () => {
    late = early;
    printLine(`ns2.${ZONE} has the new zone, too.`);
    timer = setTimeout(move, CALM_MS);
  };
  return {
    /** The variables by which the agent of a region finds them. */
    envOf: (region) => ({ RESOLV_CONF: fileOf(dataDir, region), NAME_SERVER_PORT: String(port) }),
    move() {
      timer = setTimeout(move, FIRST_MOVE_MS);
    },
    async stop() {
      clearTimeout(timer);
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

const fileOf = (dataDir, region) => join(dataDir, `resolv-${region}.conf`);
/** The addresses are of a network for documentation. */
const addressAt = (moves) => `203.0.113.${24 + (moves % 200)}`;

/** The zone after so many moves. A later zone has a higher serial number, also in the next run. */
function recordsAt(moves) {
  const ttl = 60;
  const soa = { mname: `ns1.${ZONE}`, rname: `dns.${ZONE}`, serial: Math.floor(Date.now() / 1_000) };
  return [
    { name: ZONE, type: 'SOA', ttl, data: soa },
    { name: ZONE, type: 'NS', ttl, data: `ns1.${ZONE}` },
    { name: ZONE, type: 'NS', ttl, data: `ns2.${ZONE}` },
    { name: ZONE, type: 'A', ttl, data: addressAt(moves) },
    { name: ZONE, type: 'MX', ttl, data: { preference: 10, exchange: `mail.${ZONE}` } },
    { name: ZONE, type: 'TXT', ttl, data: ['v=spf1 mx -all'] },
    { name: `ns2.${ZONE}`, type: isIPv6(SECOND) ? 'AAAA' : 'A', ttl, data: SECOND },
  ];
}

function answerOf(asked, own) {
  const name = asked.question.name.toLowerCase();
  const isListed = own.some((record) => record.name === name);
  return records(isListed ? own : [{ name, type: 'A', ttl: 60, data: HERE }])(asked);
}

/** Passes a query on as it is. @returns the first answer of a resolver of this machine */
async function passOn({ bytes, via }, upstreams) {
  const done = new AbortController();
  const { signal } = done;
  const ask = via === 'tcp' ? askByTcp : askByUdp;
  const answers = upstreams.map((upstream) => ask(bytes, upstream, signal));
  const failure = { rcode: 'SERVFAIL' };
  const answer = await Promise.race([
    Promise.any(answers).catch(() => failure),
    sleep(PATIENCE_MS, failure, { signal, ref: false }),
  ]);
  done.abort();
  return answer;
}

async function askByUdp(bytes, { ip, port }, signal) {
  const socket = createSocket({ type: isIPv6(ip) ? 'udp6' : 'udp4', signal });
  socket.send(bytes, port, ip);
  const [answer] = await once(socket, 'message', { signal });
  return answer;
}

/** @returns the answer with its length before it, as it came */
async function askByTcp(bytes, { ip, port }, signal) {
  const socket = connect({ host: ip, port, signal });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  socket.write(Buffer.concat([length, bytes]));
  const parts = [];
  for await (const part of socket) {
    parts.push(part);
    const all = Buffer.concat(parts);
    if (all.length > 2 && all.length >= 2 + all.readUInt16BE(0)) return all;
  }
  throw new Error('The resolver has closed the connection.');
}
