/**
 * Whether deliveries are refused because the clocks differ too much (gap 7).
 *
 * @param limitMs as the store is set (`webhookToleranceSeconds`); 0 where it does not mind the clock
 */
export const isRefusedForSkew = (skewMs: number, limitMs: number): boolean =>
  limitMs > 0 && Math.abs(skewMs) > limitMs
