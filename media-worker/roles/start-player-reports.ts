import type { IncomingMessage } from 'node:http';
import type { WorkerContext } from '@/lib/domain/context';
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';
import type { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { createPlaybackMeasurement } from '@/media-worker/delivery/origin/audience/measure-playback';
import type { PlayerReporting } from '@/media-worker/delivery/origin/audience/viewer-reports';

const REPORT_INTERVAL_MS = 5_000;

/**
 * Starts to sum up player reports. Counting continues while the database is unavailable, and the last minutes are
 * written when the origin closes.
 * @returns the handler of player reports; undefined if the operator disabled them
 */
export function startPlayerReports(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
  nodeId: string,
  countryOf: (request: IncomingMessage) => string | null | undefined,
): PlayerReporting | undefined {
  const playback = createPlaybackMeasurement(ctx, nodeId, countryOf);
  if (!playback) return undefined;
  const { count, reports } = playback;
  const sampleTimer = setInterval(() => count.sample(), REPORT_INTERVAL_MS);
  const writeTimer = runPeriodically(REPORT_INTERVAL_MS, 'audience', ctx.log, () => count.flush());
  lifecycle.own('audience', async () => {
    clearInterval(sampleTimer);
    await writeTimer.close();
    count.sample();
    await count.flush();
  });
  return reports;
}
