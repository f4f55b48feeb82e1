const CODE = /^([1-5]\d\d)(?:-([1-5]\d\d))?$/;
const MOST_CODES = 50;
/** What Uptime Kuma accepts where nothing else was chosen. */
const USUAL = ['200-299'];

/** The accepted status codes of a check, with what is different where some cannot be accepted here. */
export function acceptedCodes(value: unknown): { codes: (number | string)[]; difference: string | null } {
  const list = Array.isArray(value) && value.length > 0 ? value.map(textOf) : USUAL;
  const isSound = (text: string) => {
    const match = CODE.exec(text.trim());
    return match !== null && (match[2] === undefined || match[1]! <= match[2]);
  };
  const sound = [...new Set(list.filter(isSound).map((text) => text.trim()))].slice(0, MOST_CODES);
  const left = list.filter((text) => !sound.includes(text.trim()));
  const codes = (sound.length > 0 ? sound : USUAL).map((text) => (text.includes('-') ? text : Number(text)));
  const instead = sound.length > 0 ? '' : ` and ${USUAL[0]} is`;
  return { codes, difference: left.length === 0 ? null : `the status ${left.join(', ')} is not accepted${instead}` };
}

const textOf = (code: unknown): string => (typeof code === 'string' ? code : JSON.stringify(code));
