import type { WorkerContext } from '@/lib/domain/context';
import { clientAddressFrom } from '@/lib/infra/egress/ip-address';
import { readAddress } from '@/lib/infra/node-address';
import { runsRtc } from '@/lib/infra/settings/rtc-settings';
import { RtcViewers, type RtcViewersOptions } from '@/media-worker/delivery/origin/webrtc/rtc-viewers';
import { withTurnLogins } from '@/media-worker/delivery/origin/webrtc/turn-login';
import type { ServeWebrtc } from '@/media-worker/delivery/origin/webrtc/serve-webrtc';
import { every } from '@/media-worker/kit/process/every';
import type { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { askRtc, type RtcRequest } from '@/media-worker/rtc/rtc-request';

/** The interval at which viewers are counted. */
const viewersMs = 5_000;

interface OriginOfViewers extends Omit<RtcViewersOptions, 'watch' | 'ask' | 'clock' | 'log'> {
  readonly viewers: { readonly watchConnection: RtcViewersOptions['watch'] };
}

/**
 * Connects an origin with the rtc process of this machine, which has the connections.
 * @returns undefined if the machine has no rtc process
 */
export function offerWebrtc(
  ctx: WorkerContext,
  lifecycle: Pick<Lifecycle, 'own'>,
  { viewers: viewerCount, ...origin }: OriginOfViewers,
): ServeWebrtc | undefined {
  const { settings, log, clock } = ctx;
  const { dataDir, iceServers, turnSecret, trustedProxies } = settings;
  if (!runsRtc(settings)) return undefined;
  const ask = async (request: RtcRequest) => {
    const url = await readAddress(dataDir, 'rtc');
    if (url === null) throw new Error('the rtc process has not started yet');
    return askRtc(ctx, url, request);
  };
  const viewers = new RtcViewers({ ...origin, watch: viewerCount.watchConnection, ask, clock, log });
  const refreshTimer = every(viewersMs, 'WebRTC viewers', log, () => viewers.refresh());
  lifecycle.own('WebRTC viewers', () => refreshTimer.close());
  return {
    ask,
    iceServers: () => withTurnLogins(iceServers, turnSecret, clock.now().getTime()),
    log,
    addressOf: clientAddressFrom(trustedProxies),
    admitViewer: (request, playbackId) => viewers.admit(request, playbackId),
  };
}
