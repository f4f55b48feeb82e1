import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/**
 * The state in a HealthCheckResponse of `grpc.health.v1`, its field 1, which is left out where it is 0. Fields that are not known
 * are skipped: later versions of a protocol may add some.
 * @returns undefined where the bytes are no such message
 */
export function healthState(message: Uint8Array): number | undefined {
  try {
    const reader = new BinaryReader(message);
    let state = 0;
    while (reader.pos < reader.len) {
      const [field, type] = reader.tag();
      if (field === 1 && type !== WireType.Varint) return undefined;
      if (field === 1) state = reader.int32();
      else reader.skip(type, field);
    }
    return state;
  } catch {
    return undefined;
  }
}
