import { useEffect, useRef } from 'preact/hooks';

/** Reads again after each new check: results have no events of their own. */
export function useReloadAfter(lastChecked: string | null, reload: (() => void) | undefined): void {
  const former = useRef(lastChecked);
  useEffect(() => {
    if (former.current === lastChecked) return;
    former.current = lastChecked;
    reload?.();
  }, [lastChecked]);
}
