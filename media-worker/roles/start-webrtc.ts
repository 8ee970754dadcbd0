import type { WorkerContext } from '@/lib/domain/context';
import { createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { readProcessUrl } from '@/lib/infra/process-urls';
import { runsRtc } from '@/lib/infra/settings/rtc-settings';
import { RtcViewers, type RtcViewersOptions } from '@/media-worker/delivery/origin/webrtc/rtc-viewers';
import { withTurnLogins } from '@/media-worker/delivery/origin/webrtc/turn-login';
import type { ServeWebrtcOptions } from '@/media-worker/delivery/origin/webrtc/serve-webrtc';
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';
import type { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { askRtc, type RtcRequest } from '@/media-worker/rtc/rtc-request';

/** Interval at which viewers are counted and their access is checked. */
const REFRESH_INTERVAL_MS = 5_000;

interface WebrtcOptions extends Omit<RtcViewersOptions, 'watch' | 'ask' | 'clock' | 'log'> {
  readonly viewers: { readonly watchConnection: RtcViewersOptions['watch'] };
}

/**
 * Connects an origin to the rtc process of this machine, and starts to count WebRTC viewers.
 * @returns the options of `serveWebrtc`; undefined if the machine has no rtc process
 */
export function startWebrtc(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
  { viewers: viewerCount, ...origin }: WebrtcOptions,
): ServeWebrtcOptions | undefined {
  const { settings, log, clock } = ctx;
  const { dataDir, iceServers, turnSecret, trustedProxies } = settings;
  if (!runsRtc(settings)) return undefined;
  const ask = async (request: RtcRequest) => {
    const url = await readProcessUrl(dataDir, 'rtc');
    if (url === null) throw new Error('the rtc process has not started yet');
    return askRtc(ctx, url, request);
  };
  const viewers = new RtcViewers({ ...origin, watch: viewerCount.watchConnection, ask, clock, log });
  const refreshTimer = runPeriodically(REFRESH_INTERVAL_MS, 'WebRTC viewers', log, () => viewers.refresh());
  lifecycle.own('WebRTC viewers', () => refreshTimer.close());
  return {
    ask,
    iceServers: () => withTurnLogins(iceServers, turnSecret, clock.now().getTime()),
    log,
    addressOf: createClientAddressReader(trustedProxies),
    admitViewer: (request, playbackId) => viewers.admit(request, playbackId),
  };
}
