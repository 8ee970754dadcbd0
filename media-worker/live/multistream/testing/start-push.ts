import { isWhipUrl } from '@/lib/core/targets/whip-url';
import type { OpenTarget, TargetStatusReport } from '@/lib/domain/multistream';
import { openEgressSockets } from '@/lib/infra/egress/egress-socket';
import { RenditionBus } from '@/media-worker/live/multistream/rendition-bus';
import { TargetPush } from '@/media-worker/live/multistream/target-push';
import { Renditions } from '@/media-worker/media/packaging/rendition';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import { videoConfig } from '@/media-worker/media/packaging/testing/synthetic-packets';
import type { VideoCodec } from '@/media-worker/media/packets/media-packet';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { withoutWebrtc } from './without-webrtc';

const createBus = () =>
  new PacketBus({
    onSubscriberError: (error) => {
      throw error;
    },
  });
/** Creates the bus of an encoder that has sent its video configuration. */
export const createSendingBus = (codec: VideoCodec = 'avc') => {
  const bus = createBus();
  bus.push({ ...videoConfig(), codec });
  return bus;
};
export const createWindow = () => new Packaging().window;
const now = () => Date.now();

/** Starts a push to a target. By default, the egress policy allows no address, so every attempt fails without a connection. */
export function startPush(
  url = 'rtmp://127.0.0.1:9/live/key',
  profile = 'source',
  sockets = openEgressSockets({ allowCidrs: [] }),
) {
  const renditions = new Renditions(createWindow());
  const rendition = new RenditionBus(profile, renditions, now, { acceptsReordering: !isWhipUrl(url) });
  const target: OpenTarget = { targetId: 't', profile, videoOnly: false, url };
  const reports: TargetStatusReport[] = [];
  const push = new TargetPush({
    target,
    rendition,
    now,
    sockets,
    whip: withoutWebrtc,
    stream: { streamId: 's', playbackId: 'abcd1234efgh5678' },
    isOwn: () => Promise.resolve(false),
    report: (status) => reports.push(status),
    random: () => 0.5,
  });
  const countAttempts = () => reports.filter(({ state }) => state === 'connecting').length;
  return { renditions, rendition, push, reports, countAttempts };
}
