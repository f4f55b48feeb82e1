import type { HttpTarget } from '../checks/http.js';
import type { Header } from './secret-values.js';

/** Every request to the origin of the monitor carries these headers. */
export function authorizationOf(auth: HttpTarget['auth'] | undefined): Header[] {
  switch (auth?.type) {
    case 'basic': {
      const pair = Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
      return [{ name: 'Authorization', value: `Basic ${pair}` }];
    }
    case 'bearer':
      return [{ name: 'Authorization', value: `Bearer ${auth.token}` }];
    default:
      return [];
  }
}
