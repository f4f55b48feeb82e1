import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Listens on loopback, on the port of the former run if it is free: what refers to the server then stays as it is.
 * @param server of TCP, or a socket of UDP
 * @param file keeps the port; default: any free port
 * @returns the port
 */
export async function listenAsBefore(server, file) {
  const before = file && Number(await readFile(file, 'utf8').catch(() => '0'));
  const port = await listen(server, before || 0).catch((error) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    return listen(server, 0);
  });
  if (file) {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, String(port));
  }
  return port;
}

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    (server.listen ?? server.bind).call(server, port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve(server.address().port);
    });
  });
}
