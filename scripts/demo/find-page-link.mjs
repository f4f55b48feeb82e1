const DEADLINE_MS = 10_000;

/** The newest link in the local mailbox that acknowledges an incident; null where there is none (yet). */
export async function findPageLink(baseUrl) {
  const response = await fetch(`${baseUrl}/mailbox`, { signal: AbortSignal.timeout(DEADLINE_MS) });
  // With SMTP_URL there is no local mailbox: the link is in a real one.
  if (!response.ok) return null;
  return /href="([^"]+\/ack\/[\w-]+)"/.exec(await response.text())?.[1] ?? null;
}
