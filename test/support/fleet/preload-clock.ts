/**
 * Loaded into a process before the product, see `movableClock`: its wall clock is CLOCK_OFF_MS ahead of the real one. SIGUSR2
 * corrects a wrong clock, and sets a right one CLOCK_STEP_MS ahead.
 */
const { CLOCK_OFF_MS, CLOCK_STEP_MS } = process.env;
const realNow = Date.now;
let offMs = Number(CLOCK_OFF_MS);
Date.now = () => realNow() + offMs;
process.on('SIGUSR2', () => (offMs = offMs === 0 ? Number(CLOCK_STEP_MS) : 0));
