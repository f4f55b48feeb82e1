export async function benchPage(): Promise<never[]> {
  return [];
}
