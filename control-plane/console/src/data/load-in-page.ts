/** Loads modules of the console in a test, which has no page. Their clock does not tick there. */
export async function loadInPage<T>(load: () => Promise<T>): Promise<T> {
  const page = {
    document: { getElementById: () => null },
    addEventListener: () => undefined,
    setInterval: () => undefined,
  };
  const names = Object.keys(page);
  const own = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  Object.assign(globalThis, page);
  try {
    return await load();
  } finally {
    for (const [name, descriptor] of own) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
  }
}
