/** An OCSP response as a server would staple it (RFC 6960 §4.2.1), with made-up names, hashes and signature. */
export function ocspAnswer(options: {
  status: 'good' | 'revoked';
  /** Of the certificate that it is about, in hexadecimal. */
  serialNumber: string;
  thisUpdate: Date;
  nextUpdate?: Date;
  revokedAt?: Date;
}): Buffer {
  const certId = der(
    0x30,
    der(0x30, SHA1, der(0x05)),
    der(0x04, Buffer.alloc(20)),
    der(0x04, Buffer.alloc(20)),
    der(0x02, Buffer.from(`00${options.serialNumber}`, 'hex')),
  );
  const status = options.status === 'good' ? der(0x80) : der(0xa1, time(options.revokedAt ?? options.thisUpdate));
  const next = options.nextUpdate ? [der(0xa0, time(options.nextUpdate))] : [];
  const single = der(0x30, certId, status, time(options.thisUpdate), ...next);
  const responder = der(0xa2, der(0x04, Buffer.alloc(20)));
  const data = der(0x30, responder, time(options.thisUpdate), der(0x30, single));
  const basic = der(0x30, data, der(0x30, SHA1), der(0x03, Buffer.alloc(65)));
  return der(0x30, der(0x0a, Buffer.from([0])), der(0xa0, der(0x30, BASIC, der(0x04, basic))));
}

const SHA1 = der(0x06, Buffer.from('2b0e03021a', 'hex'));
const BASIC = der(0x06, Buffer.from('2b0601050507300101', 'hex'));

function time(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 0x80
      ? [content.length]
      : content.length < 0x100
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
