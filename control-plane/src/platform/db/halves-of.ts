/**
 * Divides work that failed as a whole: between owners where there are several, so that each keeps his order, else between
 * items.
 */
export function halvesOf<T>(items: readonly T[], ownerOf: (item: T) => string): readonly (readonly T[])[] {
  const owners = [...new Set(items.map(ownerOf))];
  if (owners.length === 1) {
    const middle = Math.ceil(items.length / 2);
    return [items.slice(0, middle), items.slice(middle)];
  }
  const first = new Set(owners.slice(0, Math.ceil(owners.length / 2)));
  return [items.filter((item) => first.has(ownerOf(item))), items.filter((item) => !first.has(ownerOf(item)))];
}
