import { parseUrl } from '@watchpost/shared/parse-url';
import type { Fields } from '../../import/rows.js';
import { entryOf, flagOf, jsonOf, numberOf, objectOf, rawTextOf, type Row, textOf } from '../../import/rows.js';
import type { Secrets } from '../../import/names.js';
import { type Converted, familyFields, httpDifferences } from './check-fields.js';
import { signInOf } from './http-auth.js';
import { addHeader, documentHeaders, hasHeader } from '../../import/http-headers.js';
import { acceptedCodes } from './accepted-codes.js';
import { jsonAssertions } from './json-query.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE'];
const MOST_URL = 2_048;
const MOST_BODY = 65_536;
const MOST_KEYWORD = 1_000;
/** Redirects that Watchpost follows, and the usual number in Uptime Kuma. */
const REDIRECTS = 10;
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'text/xml; charset=utf-8',
};

/**
 * A check of a URL: of the types http, keyword, json-query and real-browser.
 * @param thresholdDays when to warn about certificates
 */
export function convertHttp(row: Row, key: string, secrets: Secrets, thresholdDays: readonly number[]): Converted {
  const url = readUrl(textOf(row, 'url'));
  if (typeof url === 'string') return { untaken: url };
  const method = (textOf(row, 'method') ?? 'GET').toUpperCase();
  if (!METHODS.includes(method)) return { untaken: `its method ${method} is not sent by checks` };
  const differences = [...httpDifferences(row)];
  const http: Fields = familyFields(row, url.hostname);
  if (method !== 'GET') http['method'] = method;
  const headers = headersOf(row, differences);
  const signIn = signInOf(row, url, headers, key, secrets);
  addBody(row, method, http, headers, differences);
  const { fields: sent, differences: unsent } = documentHeaders(headers, secrets, key);
  differences.push(...unsent);
  if (Object.keys(sent).length > 0) http['headers'] = sent;
  const { codes, difference } = acceptedCodes(jsonOf(row, 'accepted_statuscodes_json'));
  http['expectedStatusCodes'] = codes;
  if (difference !== null) differences.push(difference);
  addRedirects(row, http, differences);
  if (flagOf(row, 'ignore_tls')) http['verifyCertificate'] = false;
  addContentRules(row, method, http, differences);
  if (typeof signIn === 'string') differences.push(`is paused: ${signIn}`);
  else if (signIn !== null) http['auth'] = signIn;
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return {
    fields: { url: bare.href, ...certificateFields(row, url, thresholdDays, differences), http },
    differences,
    isWrong: typeof signIn === 'string',
  };
}

/** @returns the reason where it cannot be checked */
function readUrl(text: string | null): URL | string {
  const url = parseUrl(text ?? '');
  if (!url || !/^https?:$/.test(url.protocol)) return 'its URL is no http:// or https:// URL';
  if (url.port === '0') return 'its URL has port 0';
  return url.href.length > MOST_URL ? `its URL has more than ${MOST_URL} characters` : url;
}

function headersOf(row: Row, differences: string[]): Map<string, string> {
  const headers = new Map<string, string>();
  const own = objectOf(row, 'headers');
  if (textOf(row, 'headers') !== null && own === undefined)
    differences.push('its headers are not sent: they are no JSON object');
  for (const [name, value] of Object.entries(own ?? {})) {
    if (hasHeader(headers, name)) differences.push(`its header ${name} is sent once: it is there in two spellings`);
    else headers.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return headers;
}

function addBody(row: Row, method: string, http: Fields, headers: Map<string, string>, differences: string[]): void {
  const body = rawTextOf(row, 'body');
  // Uptime Kuma sends no body of blanks alone.
  if (body === null || body.trim() === '') return;
  if (!METHODS_WITH_BODY.includes(method)) differences.push(`sends no body with ${method}`);
  else if (body.length > MOST_BODY) differences.push(`sends no body: it has more than ${MOST_BODY} characters`);
  else {
    http['body'] = body;
    const type = entryOf(CONTENT_TYPES, textOf(row, 'http_body_encoding') ?? 'json');
    if (type !== undefined) addHeader(headers, 'Content-Type', type);
  }
}

function addRedirects(row: Row, http: Fields, differences: string[]): void {
  const redirects = numberOf(row, 'maxredirects') ?? REDIRECTS;
  if (redirects <= 0) http['followRedirects'] = false;
  else if (redirects !== REDIRECTS) differences.push(`follows up to ${REDIRECTS} redirects instead of ${redirects}`);
}

/** What the type demands of the answer beyond its status. */
function addContentRules(row: Row, method: string, http: Fields, differences: string[]): void {
  const type = textOf(row, 'type');
  if (type === 'keyword') {
    const keyword = typeof row['keyword'] === 'string' ? row['keyword'] : '';
    if (keyword === '' || keyword.length > MOST_KEYWORD || method === 'HEAD')
      differences.push(
        `its keyword is not looked for: it has 1 to ${MOST_KEYWORD} characters, in an answer with a body`,
      );
    else Object.assign(http, { keyword, ...(flagOf(row, 'invert_keyword') ? { keywordMode: 'absent' } : {}) });
  } else if (type === 'json-query') {
    const query = method === 'HEAD' ? 'an answer to HEAD has no body' : jsonAssertions(row);
    if (typeof query === 'string') differences.push(`its JSON query is not checked, the status is: ${query}`);
    else {
      http['assertions'] = query.assertions;
      if (query.difference !== null) differences.push(`its JSON query ${query.difference}`);
    }
  } else if (type === 'real-browser') differences.push('is requested without a browser');
}

function certificateFields(row: Row, url: URL, thresholdDays: readonly number[], differences: string[]): Fields {
  if (!flagOf(row, 'expiry_notification') || url.protocol !== 'https:') return {};
  if (!flagOf(row, 'ignore_tls'))
    return {
      monitorTypes: ['HttpAvailability', 'SslCertificate'],
      // No incident before it expires, as there is none in Uptime Kuma.
      ssl: { expiryThresholdDays: [...thresholdDays], incidentDays: 0, ...familyFields(row, url.hostname) },
    };
  differences.push('does not warn before its certificate expires: a check of a certificate that is ignored would fail');
  return {};
}
