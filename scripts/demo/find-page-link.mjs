const DEADLINE_MS = 10_000;

/** The newest link in the local mailbox that acknowledges an incident of a monitor; null where there is none (yet). */
export async function findPageLink(baseUrl, monitorName) {
  const response = await fetch(`${baseUrl}/mailbox`, { signal: AbortSignal.timeout(DEADLINE_MS) });
  // With SMTP_URL there is no local mailbox: the link is in a real one.
  if (!response.ok) return null;
  const mails = (await response.text()).split('<article');
  const page = mails.find((mail) => mail.includes(`<h2>Down: ${monitorName}</h2>`) && mail.includes('/ack/'));
  return /href="([^"]+\/ack\/[\w-]+)"/.exec(page ?? '')?.[1] ?? null;
}
