import type { TestApp } from '../../support/app.js';

/** What a browser sends with a request that a page of the console makes. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' } as const;

export interface Answered {
  status: number;
  headers: Headers;
  location: string | null;
  text: string;
}

export interface Sending {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A browser with a jar of cookies that follows no redirect by itself. */
export class ConsoleBrowser {
  readonly cookies = new Map<string, string>();

  constructor(readonly baseUrl: string) {}

  async send(url: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<Answered> {
    const target = new URL(url, this.baseUrl);
    const isOurs = target.origin === new URL(this.baseUrl).origin;
    const response = await fetch(target, {
      method,
      redirect: 'manual',
      headers: { ...(isOurs && this.cookies.size > 0 ? { cookie: this.cookieHeader } : {}), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    if (isOurs) for (const line of response.headers.getSetCookie()) this.#keep(line);
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('location'),
      text: await response.text(),
    };
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get session(): string | undefined {
    return this.cookies.get('watchpost_session') ?? this.cookies.get('__Host-watchpost_session');
  }

  rest(path: string, sending: Sending = {}): Promise<Answered> {
    return this.send(path, { ...sending, headers: { ...OWN_PAGE, ...sending.headers } });
  }

  /** Begins a sign-in. @returns where the provider sends the browser back */
  async begin(path = '/console/sign-in'): Promise<string> {
    const begun = await this.send(path);
    const answered = await this.send(begun.location!);
    return answered.location!;
  }

  /** Signs in a person at the test issuer of `app`. @returns the answer of the callback */
  async signIn(app: Pick<TestApp, 'issuer'>, sub: string, path?: string): Promise<Answered> {
    app.issuer.person = { sub };
    return this.send(await this.begin(path));
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
