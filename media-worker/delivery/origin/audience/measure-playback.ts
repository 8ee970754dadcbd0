import type { WorkerContext } from '@/lib/domain/context';
import { clientAddressFrom } from '@/lib/infra/egress/ip-address';
import { metrics } from '@/lib/infra/metrics/metrics';
import { type TakeReports, ViewerReports } from './viewer-reports';

/** Takes what players report into the metrics of this process; undefined when the operator wants none. */
export function measurePlayback({
  clock,
  settings,
}: Pick<WorkerContext, 'clock' | 'settings'>): TakeReports | undefined {
  if (!settings.viewerReports) return undefined;
  const reports = new ViewerReports({
    clock,
    addressOf: clientAddressFrom(settings.trustedProxies),
    measured: ({ startupMs, stallMs, playedMs, failed }) => {
      if (startupMs !== undefined) metrics.playbackStartup.observe(startupMs / 1_000);
      if (stallMs !== undefined) metrics.playbackStall.observe(stallMs / 1_000);
      metrics.playbackPlayed.inc(playedMs / 1_000);
      if (failed) metrics.playbackFailures.inc();
    },
    counted: ({ accepted, malformed }) => {
      metrics.viewerReports.inc({ outcome: 'accepted' }, accepted);
      metrics.viewerReports.inc({ outcome: 'malformed' }, malformed);
    },
  });
  return reports.take;
}
