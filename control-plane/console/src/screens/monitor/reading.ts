import type { RegionView } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import type { Workspace } from '@watchpost/control-plane/capabilities/workspaces/workspace-schemas';
import { workspaceId } from '../../data/session.js';
import { type ResourceView, useResource } from '../../data/resources.js';
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
  defaultGroupIds: readonly string[];
}

/** Names what the plan of the workspace allows a monitor. */
export function usePlan(): ResourceView<PlanView> {
  const own = useResource<Workspace>(`/api/v1/workspaces/${workspaceId.value}`);
  const products = useResource<Product[]>('/api/v1/product');
  const data = own.data && products.data && planOf(own.data, products.data);
  // The one that is not there yet, or cannot be read.
  return { ...(own.data === undefined ? own : products), data };
}

function planOf(own: Workspace, products: readonly Product[]): PlanView {
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

/** All regions with their places, the home region first. */
export function useRegions(): ResourceView<RegionView[]> {
  return useResource('/api/v1/regions');
}

/** @returns what finds the place of a region by its name; that is the name until places are known */
export function usePlaces(): (name: string) => string {
  const regions = useRegions().data;
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
