import type { IncomingMessage } from 'node:http';
import type { ViewFacts } from '@/lib/core/audience/view-state';
import type { WorkerContext } from '@/lib/domain/context';
import { recordAudience } from '@/lib/domain/audience';
import { createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { CpuMeter } from '@/lib/infra/machine-load';
import { metrics } from '@/lib/infra/metrics/metrics';
import { AudienceCount } from './audience-count';
import { type PlayerReporting, ViewerReports } from './viewer-reports';

interface MeasuredPlayback {
  readonly reports: PlayerReporting;
  readonly count: Pick<AudienceCount, 'sample' | 'flush'>;
}

/**
 * Creates the handler of player reports, which adds them to the metrics of this process and to the audience of
 * objects; null if the operator disabled reports.
 */
export function createPlaybackMeasurement(
  ctx: Omit<WorkerContext, 'storage'>,
  nodeId: string,
  countryOf: (request: IncomingMessage) => string | null | undefined,
): MeasuredPlayback | null {
  const { clock, settings } = ctx;
  if (!settings.viewerReports) return null;
  const cpu = new CpuMeter();
  const count = new AudienceCount({
    clock,
    onMeasure: observeMetrics,
    readCpuHeadroom: () => cpu.idleRatio(),
    write: (minutes) => recordAudience(ctx, nodeId, minutes),
  });
  const reports = new ViewerReports({
    clock,
    countryOf,
    addressOf: createClientAddressReader(settings.trustedProxies),
    onReport: (watchedObject, report, shares) => count.add(watchedObject, report, shares),
    onLines: ({ acceptedLines, malformedLines }) => {
      metrics.viewerReports.inc({ outcome: 'accepted' }, acceptedLines);
      metrics.viewerReports.inc({ outcome: 'malformed' }, malformedLines);
    },
  });
  return { reports, count };
}

function observeMetrics({ startupMs, stallMs, playedMs, failed }: ViewFacts): void {
  if (startupMs !== undefined) metrics.playbackStartup.observe(startupMs / 1_000);
  if (stallMs !== undefined) metrics.playbackStall.observe(stallMs / 1_000);
  metrics.playbackPlayed.inc(playedMs / 1_000);
  if (failed) metrics.playbackFailures.inc();
}
