/** A length of time as a clock that runs: `4:07`, `1:04:07`, `2 d 1:04:07`. */
export function runningText(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1_000));
  const two = (value: number) => String(value).padStart(2, '0');
  const [days, hours, minutes] = [
    Math.floor(total / 86_400),
    Math.floor(total / 3_600) % 24,
    Math.floor(total / 60) % 60,
  ];
  const clock = days + hours > 0 ? `${hours}:${two(minutes)}:${two(total % 60)}` : `${minutes}:${two(total % 60)}`;
  return days > 0 ? `${days} d ${clock}` : clock;
}
