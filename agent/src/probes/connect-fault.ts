import { ProbeFault } from './probe-fault.js';

const NO_DESCRIPTORS = new Set(['EMFILE', 'ENFILE']);
const EXHAUSTED = new Set(['EADDRNOTAVAIL', 'EADDRINUSE', 'ENOBUFS', 'ENOMEM', 'EAGAIN']);
const NO_ROUTE = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'EACCES',
  'EPERM',
  'EAFNOSUPPORT',
  'EINVAL',
  'ENONET',
]);
const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENONET', 'EPROTO']);

/**
 * The fault of a failed connect. It is the agent's if the kernel refused before sending anything (no route, no descriptor,
 * no port), and the target's if the network reported it.
 * @param local whether `connect` itself failed, before anything was sent
 */
export function connectFault(error: NodeJS.ErrnoException, address: string, local: boolean): ProbeFault {
  const code = error.code ?? 'unknown';
  if (NO_DESCRIPTORS.has(code)) return new ProbeFault('agent_no_descriptors', { code });
  if (EXHAUSTED.has(code)) return new ProbeFault('agent_exhausted', { code });
  if (code === 'ENETDOWN' || (local && NO_ROUTE.has(code))) return new ProbeFault('agent_no_route', { address, code });
  if (code === 'ECONNREFUSED') return new ProbeFault('connection_refused', { address });
  if (code === 'ECONNRESET' || code === 'EPIPE') return new ProbeFault('connect_reset', { address });
  if (UNREACHABLE.has(code)) return new ProbeFault('host_unreachable', { address, code });
  return new ProbeFault('connection_failed', { address, code });
}
