import type { RequestListener } from 'node:http';
import { afterEach } from 'vitest';
import type { PublishSource } from '@/lib/core/streams/publish-admission';
import { recordProgress } from '@/lib/domain/streams';
import type { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { listenInternal } from '@/media-worker/kit/http/listen-internal';
import type { StartFeature } from '@/media-worker/media/packaging/session-feature';
import { steadyFrames, videoConfig } from '@/media-worker/media/packaging/testing/synthetic-packets';
import type { CapacityGuard } from '@/media-worker/live/session/capacity-guard';
import { createAdmitPublish } from '@/media-worker/ingest/admission/admit-publish';
import { answerTakeovers } from '@/media-worker/ingest/admission/answer-takeovers';
import { RelayedStandbys } from '@/media-worker/ingest/admission/relayed-standby';
import { answerStandbys } from '@/media-worker/ingest/admission/take-standby';
import { LiveDrain } from '@/media-worker/live/session/live-drain';
import { LiveSessions } from '@/media-worker/live/session/live-sessions';
import { ProgressMeter } from '@/media-worker/live/session/progress-meter';
import { StreamControl } from '@/media-worker/live/session/stream-control';
import { FakeConnection } from './fake-connection';

/** Packets that make a stream playable. */
export const twoSegments = [videoConfig(), ...steadyFrames({ untilMs: 4_100, audio: false })];

const notFoundListener: RequestListener = (_request, response) => void response.writeHead(404).end();

/**
 * Creates a function that opens live nodes without RTMP, which end with the test. Other nodes reach them at their
 * internal URL.
 */
export function createLiveNodes({ ctx, db, createNode }: ReturnType<typeof createLiveFixtures>) {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => void (await Promise.all(closing.splice(0).map((close) => close()))));

  /** Opens a live node with a monotonic clock that the test may advance. */
  return async (
    features: readonly StartFeature[] = [],
    settings: Partial<typeof ctx.settings> = {},
    rejection: CapacityGuard['rejection'] = () => null,
  ) => {
    const time = { aheadMs: 0 };
    const now = () => performance.now() + time.aheadMs;
    // No process sends its heartbeats, so it counts as alive for the whole test.
    const nodeId = await createNode({ silentMs: -3_600_000 });
    const realTimeCtx = { ...ctx, clock: { now: () => new Date(), monotonic: now } };
    const meter = new ProgressMeter((progress) => recordProgress(ctx, progress), realTimeCtx.clock);
    const sessions = new LiveSessions({ ctx: realTimeCtx, nodeId, meter, features, capacity: { rejection } });
    const drain = new LiveDrain({
      ctx: { ...ctx, settings: { ...ctx.settings, ...settings } },
      nodeId,
      sessions,
      capacity: { roomStreams: null, fullReason: null },
    });
    const standbys = new RelayedStandbys();
    const http = await listenInternal(ctx, 'live', standbys.wrapListener(notFoundListener), {
      maxConnections: 100,
      writes: { ...answerTakeovers(sessions, drain), ...answerStandbys(realTimeCtx, sessions) },
    });
    await db.node.update({ where: { id: nodeId }, data: { url: http.url } });
    closing.push(
      () => sessions.close(),
      () => {
        drain.close();
        return http.close();
      },
    );
    const admit = createAdmitPublish(ctx, sessions, drain, { standbys, url: http.url });
    const connect = async (streamKey: string, source?: PublishSource): Promise<FakeConnection | null> => {
      const connection = new FakeConnection(now, source);
      const sink = await admit({ app: 'live', streamKey, ip: '127.0.0.1' }, connection);
      if (sink === null || typeof sink === 'string') return null;
      connection.onAdmitted(sink);
      return connection;
    };
    const control = new StreamControl({ ctx, nodeId, sessions });
    return {
      nodeId,
      sessions,
      drain,
      admit,
      connect,
      control,
      meter,
      time,
      stopAnswering: () => http.close(),
    };
  };
}
