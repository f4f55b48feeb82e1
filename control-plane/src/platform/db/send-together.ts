/**
 * Waits for work whose statements are sent without waiting for each other, on one connection. Like `Promise.all`, but where
 * a part fails it waits for the others too: none of them sends a statement after its transaction has ended.
 * @throws what failed first; what follows it in the transaction only fails because of it
 */
export async function sendTogether<Results extends readonly unknown[]>(
  ...parts: { [Part in keyof Results]: Promise<Results[Part]> }
): Promise<Results> {
  const failures: unknown[] = [];
  const results = await Promise.all(
    parts.map((part) =>
      part.catch((error: unknown) => {
        failures.push(error);
      }),
    ),
  );
  if (failures.length > 0) throw failures[0];
  return results as unknown as Results;
}
