import { parseUrl } from '@watchpost/shared/parse-url';
import { flagOf, type Row, textOf } from '../../import/rows.js';
import type { Converted } from './check-fields.js';

const SUBPROTOCOL = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;

export function convertWebSocket(row: Row): Converted {
  const url = textOf(row, 'url') ?? '';
  const parsed = parseUrl(url);
  if (!parsed || !/^wss?:$/.test(parsed.protocol)) return { untaken: 'its URL is no ws:// or wss:// URL' };
  if (parsed.username !== '' || parsed.password !== '')
    return { untaken: 'its URL has credentials, which the headers of a WebSocket have here' };
  const subprotocol = textOf(row, 'ws_subprotocol')?.trim() ?? '';
  if (subprotocol !== '' && !SUBPROTOCOL.test(subprotocol))
    return { untaken: 'it offers several subprotocols, and here a WebSocket has one' };
  return {
    fields: {
      url,
      monitorTypes: ['WebSocket'],
      ...(subprotocol === '' ? {} : { webSocket: { subprotocol } }),
    },
    differences: flagOf(row, 'ws_ignore_sec_websocket_accept_header')
      ? ['is down while the server does not prove that it read the request (Sec-WebSocket-Accept), which was ignored']
      : [],
  };
}
