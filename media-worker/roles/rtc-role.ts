import type { RequestListener } from 'node:http';
import { openEgress } from '@/lib/infra/egress/egress';
import { openEgressSockets } from '@/lib/infra/egress/egress-socket';
import { publicHosts } from '@/lib/infra/egress/own-addresses';
import { metrics } from '@/lib/infra/metrics/metrics';
import { openMetrics } from '@/lib/infra/metrics/metrics-endpoint';
import { saveProcessUrl } from '@/lib/infra/process-urls';
import { errorAnswer, send } from '@/media-worker/kit/http/answer';
import type { SystemContext } from '@/lib/domain/context';
import { listenInternal } from '@/media-worker/kit/http/listen-internal';
import type { Lifecycle, StartRole } from '@/media-worker/kit/process/lifecycle';
import { holdRtcPort } from '@/media-worker/rtc/hold-port';
import { logRtcLibrary } from '@/media-worker/rtc/peer';
import { defaultRtcLimits } from '@/media-worker/rtc/rtc-limits';
import { MAX_RTC_REQUEST_BYTES } from '@/media-worker/rtc/rtc-request';
import { LiveFeeds } from '@/media-worker/rtc/live-feeds';
import { RemotePublishes } from '@/media-worker/rtc/publish/remote-publish';
import { WhipPublishes } from '@/media-worker/rtc/publish/whip-publishes';
import { WhipTargets, type WhipTargetsOptions } from '@/media-worker/rtc/targets/whip-targets';
import { Signalling } from '@/media-worker/rtc/signalling';
import { reportAudio } from '@/media-worker/rtc/viewers/report-audio';
import { ViewerDirection } from '@/media-worker/rtc/viewers/viewer-direction';
import { ViewerFeeds } from '@/media-worker/rtc/viewers/viewer-feeds';
import { ViewerSessions } from '@/media-worker/rtc/viewers/viewer-sessions';

const MAX_CONNECTIONS = 4_000;

const notFound: RequestListener = (_request, response) =>
  send(response, errorAnswer(404, 'No publisher at this URL.'));

/**
 * Starts the rtc role: it runs the WebRTC connections of this machine in a separate process, so that a crash of the native
 * library ends no stream (ADR 89). WebRTC sessions end with the process, and clients start new ones.
 */
export const startRtc: StartRole = async (ctx, lifecycle) => {
  const { settings, log } = ctx;
  const { rtcPort, dataDir, rtmpClientsPerAddress: connectionsPerAddress } = settings;
  if (rtcPort === undefined) throw new Error('RTC_PORT is not set');
  logRtcLibrary(log);
  const remotePublishes: RemotePublishes = new RemotePublishes(ctx, () => http.url);
  const publishDirection = new WhipPublishes(ctx, remotePublishes);
  const sessions = new ViewerSessions(ctx.clock);
  const feeds = new ViewerFeeds({
    clock: ctx.clock,
    feeds: new LiveFeeds(ctx),
    onAudioStateChange: (rendition, reason) => reportAudio(ctx, rendition, reason),
  });
  const viewerDirection = new ViewerDirection({ clock: ctx.clock, feeds, sessions });
  const targets = openTargets(ctx, lifecycle, {
    feeds,
    requestKeyframe: (streamId) => publishDirection.requestKeyframe(streamId),
  });
  const connections = Math.max(defaultRtcLimits.connections, connectionsPerAddress);
  const signalling = new Signalling({
    settings: { ...settings, rtcPort },
    log,
    directions: { publish: publishDirection, watch: viewerDirection },
    takeProgress: (ids) => sessions.takeProgress(ids),
    limits: { connections, connectionsPerAddress },
  });
  const rtcMetrics = openMetrics('rtc', settings, log);
  rtcMetrics.registerReader([metrics.rtcViewers], () => metrics.rtcViewers.set(sessions.count));
  rtcMetrics.registerReader([metrics.rtcConnections], () => metrics.rtcConnections.set(signalling.count));
  const http = await listenInternal(ctx, 'rtc', remotePublishes.createListener(notFound), {
    maxConnections: MAX_CONNECTIONS,
    metrics: rtcMetrics,
    writes: { ...signalling.writes, ...targets.writes },
    maxWriteBytes: MAX_RTC_REQUEST_BYTES,
  });
  lifecycle.own('http', () => http.close());
  lifecycle.own('UDP port', holdRtcPort(rtcPort, settings.host));
  lifecycle.own('WebRTC connections', () => signalling.close());
  lifecycle.own('WHIP targets', () => targets.close());
  lifecycle.own('viewers', () => {
    feeds.close();
    sessions.close();
  });
  // Origins of this machine read the URL of the rtc process from this file.
  await saveProcessUrl(dataDir, 'rtc', http.url);
  log.info({ port: rtcPort }, 'ready for WebRTC');
};

function openTargets(
  ctx: SystemContext,
  lifecycle: Lifecycle,
  options: Pick<WhipTargetsOptions, 'feeds' | 'requestKeyframe'>,
): WhipTargets {
  const { egressAllowCidrs: allowCidrs } = ctx.settings;
  const egressOptions = { allowCidrs, ownHosts: publicHosts(ctx.settings) };
  const egress = openEgress(egressOptions);
  lifecycle.own('outgoing HTTP', () => egress.close());
  return new WhipTargets({ ctx, ...options, egress, sockets: openEgressSockets(egressOptions) });
}
