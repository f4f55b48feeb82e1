/**
 * Alternating lower-case names and values of the lines after the status line. A folded value continues after a space (RFC
 * 9112 §5.2); its parts are joined once, at its end.
 */
export function readFields(lines: readonly string[]): string[] {
  const fields: string[] = [];
  let value: string[] = [];
  const end = () => {
    if (value.length > 0) fields.push(value.join(' ').trim());
    value = [];
  };
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index]!;
    if (line === '' || line === '\r') continue;
    const first = line.charCodeAt(0);
    if (first === 32 || first === 9) {
      const part = line.trim();
      if (value.length > 0 && part !== '') value.push(part);
      continue;
    }
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    end();
    fields.push(line.slice(0, colon).trimEnd().toLowerCase());
    value.push(line.slice(colon + 1).trim());
  }
  end();
  return fields;
}
