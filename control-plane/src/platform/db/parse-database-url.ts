export interface DatabaseHost {
  /** For messages: `name:port`. */
  name: string;
  hostname: string;
  port: number;
  /** The URL of this server alone. */
  url: string;
}

export interface DatabaseServers {
  hosts: readonly DatabaseHost[];
  /** Whether a server that accepts no writes is refused. */
  needsPrimary: boolean;
}

const DEFAULT_PORT = 5432;
const WRITABLE = new Set(['read-write', 'primary']);
const TARGET = 'target_session_attrs';
const PARTS = /^(postgres(?:ql)?:\/\/)((?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;

/**
 * Reads a connection URL with one or several servers, `postgres://user:password@a:5432,b:5432/db?target_session_attrs=read-write`
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS). The driver knows only one server.
 * @throws Error with what is wrong, without the password
 */
export function parseDatabaseUrl(text: string): DatabaseServers {
  const [, scheme, account, servers, rest] = PARTS.exec(text) ?? [];
  if (scheme === undefined) throw new Error('a URL with postgres:// or postgresql://');
  const hosts = servers!.split(',').map((server) => hostOf(`${scheme}${account}${server}${rest}`, server));
  const target = new URL(hosts[0]!.url).searchParams.get(TARGET);
  if (target !== null && !WRITABLE.has(target))
    throw new Error(`${TARGET} can only be read-write or primary: the control plane writes`);
  if ((hosts.length > 1 || target !== null) && hosts.some(({ hostname }) => hostname === ''))
    throw new Error(`a name for each server, with several ones or ${TARGET}`);
  return {
    hosts: hosts.map((host) => ({ ...host, url: withoutTarget(host.url) })),
    needsPrimary: target !== null || hosts.length > 1,
  };
}

function hostOf(url: string, server: string): DatabaseHost {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new Error(`a URL in which every server is name:port, which ${JSON.stringify(server)} is not`);
  }
  const hostname = decodeURIComponent(parsed.hostname).replace(/^\[(.+)\]$/, '$1');
  const port = parsed.port === '' ? DEFAULT_PORT : Number(parsed.port);
  return { name: `${parsed.hostname}:${port}`, hostname, port, url };
}

/** The text is changed only where it has to be, because the driver reads more than a URL can express. */
function withoutTarget(url: string): string {
  return url.replace(new RegExp(`([?&])${TARGET}=[^&#]*(&?)`), (_match, before: string, after: string) =>
    after === '' ? '' : before,
  );
}
