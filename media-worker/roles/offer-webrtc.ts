import type { WorkerContext } from '@/lib/domain/context';
import { clientAddressFrom } from '@/lib/infra/egress/ip-address';
import { readAddress } from '@/lib/infra/node-address';
import { runsRtc } from '@/lib/infra/rtc-settings';
import type { ServeWebrtc } from '@/media-worker/delivery/origin/webrtc/serve-webrtc';
import { askRtc, type RtcRequest } from '@/media-worker/rtc/rtc-request';

/** What an origin needs for WebRTC: the process beside it has the connections. Undefined: this machine has none. */
export function offerWebrtc(ctx: WorkerContext): ServeWebrtc | undefined {
  const { settings, log } = ctx;
  const { dataDir, iceServers, trustedProxies } = settings;
  if (!runsRtc(settings)) return undefined;
  const ask = async (request: RtcRequest) => {
    const url = await readAddress(dataDir, 'rtc');
    if (url === null) throw new Error('the rtc process has not started yet');
    return askRtc(ctx, url, request);
  };
  return { ask, iceServers, addressOf: clientAddressFrom(trustedProxies), log };
}
