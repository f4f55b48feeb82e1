import type { X509Certificate } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { connect, type ConnectionOptions, type SecureContext, type TLSSocket } from 'node:tls';
import type { Deadline } from './deadline.js';
import { peerChain } from './peer-chain.js';
import { ProbeFault } from './probe-fault.js';
import { refusalOf, type Refusal } from './refusal.js';
import { tlsFault } from './tls-fault.js';

/** What a server presents in a handshake. */
export interface Inspected {
  /** As presented, leaf first. */
  presented: readonly X509Certificate[];
  refusal: Refusal | null;
  protocol: string;
  cipher: string;
  ocsp: Buffer | null;
}

const OFFERED = '1.0 to 1.3';

/** Makes a handshake that accepts any certificate, so that it can be inspected, and closes the connection. */
export function inspectTls(
  raw: Socket,
  host: string,
  address: string,
  context: SecureContext,
  deadline: Deadline,
): Promise<Inspected | ProbeFault> {
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  return new Promise((resolve) => {
    let ocsp: Buffer | null = null;
    let settled = false;
    const options: ConnectionOptions & { requestOCSP: boolean } = {
      socket: raw,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      ALPNProtocols: ['h2', 'http/1.1'],
      secureContext: context,
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
      requestOCSP: true,
    };
    const socket = connect(options);
    const settle = (result: Inspected | ProbeFault): void => {
      if (settled) return;
      settled = true;
      deadline.leave();
      socket.destroy();
      resolve(result);
    };
    socket.on('OCSPResponse', (bytes: Buffer) => {
      ocsp = bytes;
    });
    socket.once('secureConnect', () => settle({ ...read(socket), ocsp }));
    socket.on('error', (error: Error) =>
      settle(tlsFault(error, { address, host, offered: OFFERED, protocol: 'HTTP/1.1' })),
    );
    socket.once('close', () => settle(new ProbeFault('tls_cut', { address })));
    deadline.enter({ timeoutKey: 'tls_timeout', timeoutValues: () => ({ address }), cancel: settle });
  });
}

function read(socket: TLSSocket): Omit<Inspected, 'ocsp'> {
  return {
    presented: peerChain(socket.getPeerX509Certificate()),
    refusal: refusalOf(socket),
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().standardName,
  };
}
