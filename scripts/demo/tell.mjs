const startedMs = Date.now();

/** One line of the story, with the seconds since it began. */
export function tell(text) {
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(0).padStart(4);
  console.log(`${seconds} s  ${text}`);
}
