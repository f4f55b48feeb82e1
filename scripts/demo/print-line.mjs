const startedMs = Date.now();

/** Prints one line, with the seconds since the start. */
export function printLine(text) {
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(0).padStart(4);
  console.log(`${seconds} s  ${text}`);
}
