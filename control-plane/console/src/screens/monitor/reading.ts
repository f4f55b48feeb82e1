import type { RegionView } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import type { Workspace } from '@watchpost/control-plane/capabilities/workspaces/workspace-schemas';
import { workspaceId } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import type { MonitorType } from '@watchpost/shared/monitor-types';
import type { Product } from '@watchpost/control-plane/capabilities/plans/plan-schemas';
import { useEffect, useRef } from 'preact/hooks';

export interface PlanView {
  name: string;
  products: readonly Product[];
  /** The types that the plan has. */
  types: readonly MonitorType[];
  hasTimeout: boolean;
  /** null: unlimited. */
  extraRegions: number | null;
  monitors: { used: number; limit: number | null };
  /** Action groups that a new monitor is given. */
  defaultGroupIds: readonly string[];
}

/** What the plan of the workspace allows a monitor; undefined until it is known. */
export function usePlan(): PlanView | undefined {
  const { data: own } = useResource<Workspace>(`/api/v1/workspaces/${workspaceId.value}`);
  const { data: products } = useResource<Product[]>('/api/v1/product');
  if (own === undefined || products === undefined) return undefined;
  const features = products.find(({ name }) => name === own.plan)?.features;
  return {
    name: own.plan,
    products,
    types: (features?.monitorTypes ?? []) as MonitorType[],
    hasTimeout: features?.customTimeout ?? false,
    extraRegions: own.limits.extraRegions,
    monitors: { used: own.usage.monitors, limit: own.limits.monitors },
    defaultGroupIds: own.settings.defaultActionGroupIds,
  };
}

/** All regions with their places, the home region first; undefined until they are known. */
export function useRegions(): readonly RegionView[] | undefined {
  return useResource<RegionView[]>('/api/v1/regions').data;
}

/** @returns what finds the place of a region by its name; that is the name until places are known */
export function usePlaces(): (name: string) => string {
  const regions = useRegions();
  return (name) => regions?.find(({ region }) => region === name)?.location ?? name;
}

/** Reads again after each new check: results have no events of their own. */
export function useReloadAfter(lastChecked: string | null, reload: (() => void) | undefined): void {
  const former = useRef(lastChecked);
  useEffect(() => {
    if (former.current === lastChecked) return;
    former.current = lastChecked;
    reload?.();
  }, [lastChecked]);
}
