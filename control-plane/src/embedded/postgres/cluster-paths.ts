import { join } from 'node:path';

/** Where the embedded server keeps its things. */
export interface ClusterPaths {
  /** Everything of the embedded server: made whole, by one rename. */
  home: string;
  /** PostgreSQL's own data folder, which belongs to the account that runs it. */
  data: string;
  /** The password of the one role, readable by its owner only. */
  password: string;
  /** The port of the last start, kept so that clients find the server again. */
  port: string;
  /** Which process looks after the server. */
  supervisor: string;
  /** What the server wrote to its standard error. */
  log: string;
  /** PostgreSQL's lock file, which also contains its port and state. */
  lockFile: string;
}

export function clusterPaths(dataDir: string): ClusterPaths {
  const home = join(dataDir, 'postgres');
  const data = join(home, 'data');
  return {
    home,
    data,
    password: join(home, 'password'),
    port: join(home, 'port'),
    supervisor: join(home, 'supervisor.json'),
    log: join(home, 'server.log'),
    lockFile: join(data, 'postmaster.pid'),
  };
}

export const ROLE = 'watchpost';
export const DATABASE = 'watchpost';

export function urlOf(password: string, port: number, database = DATABASE): string {
  return `postgres://${ROLE}:${password}@127.0.0.1:${port}/${database}`;
}
