import { resource } from '../../platform/http/resource.js';
import type { Route } from '../../platform/http/route.js';
import type { ScheduleDeps } from './on-call-deps.js';
import { swapInputSchema, swapSchema } from './swap-schemas.js';
import { acceptSwap, createSwap, declineSwap, getSwap, listSwaps, withdrawSwap } from './swaps.js';
import { ACCESS } from './team-routes.js';

const swap = resource({
  ...ACCESS,
  path: '/api/v1/teams/{id}/schedules/{scheduleId}/swaps',
  name: 'swap',
  schema: swapSchema,
  param: 'swapId',
});

/** Requests that somebody else takes a shift, over REST. */
export function swapRoutes(deps: ScheduleDeps): Route[] {
  return [
    swap.list({
      summary: 'List the swaps of a schedule',
      description: 'Newest first. They are kept for 90 days after their shift.',
      run: ({ actor, params }, rows) => listSwaps(deps, actor, params, rows),
    }),
    swap.get({
      summary: 'Get a swap',
      run: ({ actor, params }) => getSwap(deps, actor, params),
    }),
    swap.create({
      summary: 'Ask others to take one of your shifts',
      description:
        'By the person on that shift. Who is asked hears of it by mail. A swap follows its shift where the schedule changes, ' +
        'or becomes void. One that overlaps with an open or taken one is 409 `swap_conflict`.',
      role: 'Viewer',
      body: swapInputSchema,
      faults: ['feature_not_in_plan', 'swap_conflict'],
      run: ({ actor, params, body }) => createSwap(deps, actor, params, body),
    }),
    swap.change({
      method: 'post',
      below: '/accept',
      operationId: 'acceptSwap',
      audits: ['swap.accepted'],
      summary: 'Take the shift of a swap',
      description: 'By a person who is asked. It makes an override that follows the shift.',
      role: 'Viewer',
      faults: ['feature_not_in_plan', 'swap_conflict'],
      run: ({ actor, params }) => acceptSwap(deps, actor, params),
    }),
    swap.change({
      method: 'post',
      below: '/decline',
      operationId: 'declineSwap',
      audits: ['swap.declined'],
      summary: 'Decline to take the shift of a swap',
      description: 'By the one person who is asked.',
      role: 'Viewer',
      faults: ['swap_conflict'],
      run: ({ actor, params }) => declineSwap(deps, actor, params),
    }),
    swap.change({
      method: 'post',
      below: '/withdraw',
      operationId: 'withdrawSwap',
      audits: ['swap.withdrawn'],
      summary: 'Withdraw a swap that nobody has taken',
      description: 'By the person who made it. An override that a taken swap has made can be removed like any other.',
      role: 'Viewer',
      faults: ['swap_conflict'],
      run: ({ actor, params }) => withdrawSwap(deps, actor, params),
    }),
  ];
}
