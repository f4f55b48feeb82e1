import { Sight as WireSight } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { Sight } from '../references/reference-watch.js';

const WIRE: Readonly<Record<Sight, WireSight>> = {
  unknown: WireSight.SIGHT_UNSPECIFIED,
  seeing: WireSight.SIGHT_SEEING,
  blind: WireSight.SIGHT_BLIND,
};

export function toWireSight(sight: Sight): WireSight {
  return WIRE[sight];
}
