import type { CheckSpec } from '@watchpost/shared/check';
import { expect } from 'chai';
import type { Tx } from '../../../platform/db/database.js';
import { BoundedReads, MONITORS_PER_TURN } from './bounded-reads.js';
import type { MonitorCheckSource } from '../../monitors/index.js';
import { walkShards } from './shard-walk.js';

const MONITORS = 5 * MONITORS_PER_TURN;
const WALKS = 3;

describe('the walk over the shards of a region', () => {
  it('makes the checks of a bounded number of monitors in a turn of the event loop, all walks together', async () => {
    let turn = 0;
    const made: number[] = [];
    const checks: Pick<MonitorCheckSource, 'inShards'> = {
      inShards: (_tx, _region, shards) => {
        const monitors = Array.from({ length: MONITORS }, () => ({
          monitorKey: shards[0]!,
          makeChecks: () => {
            made[turn] = (made[turn] ?? 0) + 1;
            return [{} as CheckSpec];
          },
        }));
        return Promise.resolve({ monitors, horizon: 1 });
      },
    };
    const reads = new BoundedReads({ read: (work) => work({} as Tx) });
    const walk = async (shard: number): Promise<number> => {
      let count = 0;
      const session = { region: 'northeurope' as const, isOver: () => false };
      for await (const check of walkShards({ reads: reads.begin(false), checks }, session, [shard])) if (check) count++;
      return count;
    };
    let walking = true;
    const nextTurn = () => {
      turn++;
      if (walking) setImmediate(nextTurn);
    };
    setImmediate(nextTurn);
    const counts = await Promise.all(Array.from({ length: WALKS }, (_, shard) => walk(shard + 1)));
    walking = false;
    expect(counts).to.deep.equal(Array.from({ length: WALKS }, () => MONITORS));
    expect(Math.max(...made.filter(Boolean))).to.equal(MONITORS_PER_TURN);
  });
});
