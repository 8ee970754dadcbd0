import type { IncomingMessage } from 'node:http';
import type { WorkerContext } from '@/lib/domain/context';
import { every } from '@/media-worker/kit/process/every';
import type { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { measurePlayback } from '@/media-worker/delivery/origin/audience/measure-playback';
import type { PlayerReporting } from '@/media-worker/delivery/origin/audience/viewer-reports';

const audienceMs = 5_000;

/**
 * Sums up player reports. Counting continues while the database is unavailable, and the last minutes are written at the end.
 * @returns undefined if the operator disabled reports
 */
export function keepAudience(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
  nodeId: string,
  countryOf: (request: IncomingMessage) => string | null | undefined,
): PlayerReporting | undefined {
  const playback = measurePlayback(ctx, nodeId, countryOf);
  if (!playback) return undefined;
  const { count, reports } = playback;
  const sampleTimer = setInterval(() => count.sample(), audienceMs);
  const writeTimer = every(audienceMs, 'audience', ctx.log, () => count.flush());
  lifecycle.own('audience', async () => {
    clearInterval(sampleTimer);
    await writeTimer.close();
    count.sample();
    await count.flush();
  });
  return reports;
}
