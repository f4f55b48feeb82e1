/** A browser without scripts: keeps cookies by path, follows redirects within the service, sends forms. */
export class FormBrowser {
  readonly #cookies = new Map<string, { name: string; value: string; path: string }>();

  constructor(private readonly origin: string) {}

  /** Goes there and on until a page comes, or a redirect leaves the service. */
  async open(
    url: string,
    init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Page> {
    let next = new URL(url, this.origin);
    let request = init;
    for (let hop = 0; hop < 10; hop++) {
      const response = await fetch(next, {
        ...request,
        redirect: 'manual',
        headers: { ...request.headers, cookie: this.#cookiesFor(next.pathname) },
      });
      for (const line of response.headers.getSetCookie()) this.#keep(line);
      const location = response.headers.get('location');
      if (!location) return new Page(this, next.href, response.status, response.headers, await response.text());
      next = new URL(location, next);
      if (next.origin !== this.origin) return new Page(this, next.href, response.status, response.headers, '');
      request = {};
    }
    throw new Error('too many redirects');
  }

  clearCookies(): void {
    this.#cookies.clear();
  }

  #keep(line: string): void {
    const [pair, ...attributes] = line.split('; ');
    const [name, value] = [pair!.slice(0, pair!.indexOf('=')), pair!.slice(pair!.indexOf('=') + 1)];
    const attributeOf = (key: string): string | undefined =>
      attributes.find((text) => text.toLowerCase().startsWith(`${key}=`))?.split('=')[1];
    const path = attributeOf('path') ?? '/';
    const expires = attributeOf('expires');
    if (value === '' || (expires && Date.parse(expires) < Date.now())) this.#cookies.delete(`${path} ${name}`);
    else this.#cookies.set(`${path} ${name}`, { name, value, path });
  }

  #cookiesFor(path: string): string {
    return [...this.#cookies.values()]
      .filter((cookie) => path.startsWith(cookie.path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }
}

export class Page {
  constructor(
    private readonly browser: FormBrowser,
    readonly url: string,
    readonly status: number,
    readonly headers: Headers,
    readonly text: string,
  ) {}

  get title(): string {
    return /<title>(.*?)<\/title>/.exec(this.text)?.[1] ?? '';
  }

  get parameters(): URLSearchParams {
    return new URL(this.url).searchParams;
  }

  /** The fields of the page's form, as they would be sent. */
  get fields(): Record<string, string> {
    const fields: Record<string, string> = {};
    for (const [input] of this.text.matchAll(/<input[^>]*>/g)) {
      const name = /\bname="([^"]*)"/.exec(input)?.[1];
      if (name) fields[name] = unescapeHtml(/\bvalue="([^"]*)"/.exec(input)?.[1] ?? '');
    }
    return fields;
  }

  /** Sends the page's form with these fields filled in, a button's name and value among them. */
  submit(values: Record<string, string>): Promise<Page> {
    const action = /<form[^>]*\baction="([^"]*)"/.exec(this.text)?.[1];
    return this.browser.open(new URL(unescapeHtml(action ?? ''), this.url).href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...this.fields, ...values }).toString(),
    });
  }
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
