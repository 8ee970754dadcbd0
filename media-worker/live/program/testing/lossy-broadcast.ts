import { withoutWebrtc } from '@/media-worker/live/multistream/testing/without-webrtc';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { openEgressSockets } from '@/lib/infra/egress/egress-socket';
import { createTarget } from '@/lib/domain/multistream';
import { addTarget, recordProgress } from '@/lib/domain/streams';
import type { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { createAdmitPublish } from '@/media-worker/ingest/admission/admit-publish';
import { LiveDrain } from '@/media-worker/live/session/live-drain';
import { LiveSessions } from '@/media-worker/live/session/live-sessions';
import { ProgressMeter } from '@/media-worker/live/session/progress-meter';
import { StreamControl } from '@/media-worker/live/session/stream-control';
import { createMultistream } from '@/media-worker/live/multistream/multistream';
import { createRecorder } from '@/media-worker/recording/recorder';
import { Spool } from '@/media-worker/recording/spool';
import { startIngest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import { createMakeSlate } from '@/media-worker/live/program/make-slate';

/** Timeout of tests that wait for encoders on a busy machine. */
const pollOptions = { timeout: 120_000, interval: 50 };

type Fixtures = ReturnType<typeof createLiveFixtures>;

/** An ffmpeg process that publishes audio and video in real time. */
function startEncoder(port: number, key: string, size: string): ChildProcess {
  const input = `-re -f lavfi -i testsrc2=size=${size}:rate=25 -re -f lavfi -i sine=sample_rate=48000`;
  const video = '-pix_fmt yuv420p -c:v libx264 -preset ultrafast -tune zerolatency -g 25 -sc_threshold 0';
  const output = `${video} -c:a aac -f flv rtmp://127.0.0.1:${port}/live/${key}`;
  return spawn('ffmpeg', `-v error -nostats ${input} ${output}`.split(' '), {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

/** A live node with RTMP, a recorder and multistream targets. */
async function openNode(
  { ctx, createNode }: Pick<Fixtures, 'ctx' | 'createNode'>,
  closing: (() => unknown)[],
) {
  const folder = await mkdtemp(join(tmpdir(), 'broadcast-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const nodeId = await createNode({ silentMs: -3_600_000 });
  const spool = new Spool(folder, 'test');
  const statusWriter = { reportFailure: () => Promise.resolve() };
  const sessions = new LiveSessions({
    ctx,
    nodeId,
    capacity: { rejection: () => null },
    meter: new ProgressMeter((progress) => recordProgress(ctx, progress), ctx.clock),
    features: [
      createRecorder({ spool, statusWriter, readFreeBytes: () => Promise.resolve(1) }),
      createMultistream({
        ctx,
        nodeId,
        sockets: openEgressSockets({ allowCidrs: ['127.0.0.1/32'] }),
        whip: withoutWebrtc,
      }),
    ],
    makeSlate: createMakeSlate({ withFile: () => Promise.reject(new Error('no pictures')) }),
  });
  const capacity = { roomStreams: null, fullReason: null };
  const drain = new LiveDrain({ ctx, nodeId, sessions, capacity });
  const ingest = await startIngest({ admit: createAdmitPublish(ctx, sessions, drain) });
  closing.push(
    () => ingest.server.close(),
    () => sessions.close(),
    () => drain.close(),
  );
  return { folder, nodeId, sessions, ingest };
}

/**
 * A live node with RTMP, a recorded stream that may have a slate and a standby encoder, and a target that keeps its packets.
 */
export async function openBroadcast(
  { ctx, db, createTeam, createStream, createNode, eventsOf, sessionsOf, readStream }: Fixtures,
  settings: { readonly backup?: boolean; readonly slate?: boolean; readonly recordSlate?: boolean },
  closing: (() => unknown)[],
) {
  const owner: TeamContext = { ...ctx, actor: { kind: 'cli', teamId: await createTeam() } };
  const backupKey = `backup-${Math.random().toString(36).slice(2)}`;
  const backupKeyHash = ctx.secrets.fingerprint('stream-key', backupKey);
  const row = await createStream(owner.actor.teamId, { record: true });
  await db.stream.update({ where: { id: row.id }, data: { backupKeyHash, slateSeconds: 300, ...settings } });
  const sink = await startIngest();
  closing.push(() => sink.server.close());
  const { id: targetId } = await createTarget(owner, { url: `rtmp://127.0.0.1:${sink.port}/live/good-key` });
  await addTarget(owner, { id: row.id, reference: { id: targetId, profile: 'source', videoOnly: false } });

  const { folder, nodeId, sessions, ingest } = await openNode({ ctx, createNode }, closing);
  const control = new StreamControl({ ctx, nodeId, sessions });
  const encode = (key = row.streamKey, size = '320x180') => {
    const encoder = startEncoder(ingest.port, key, size);
    closing.push(() => encoder.kill('SIGKILL'));
    return encoder;
  };
  const session = () => sessions.byPlaybackId(row.playbackId);
  const program = async () => (await readStream(row.id)).program as { input: string | null } | null;
  return {
    row,
    backupKey,
    sink,
    sessions,
    ingest,
    control,
    folder,
    db,
    encode,
    session,
    untilOnAir: (input: string) => expect.poll(async () => (await program())?.input, pollOptions).toBe(input),
    /** Resolves when the target is connected and the slate is made. */
    untilReady: () =>
      expect.poll(() => [sink.publishes.length, session()?.slate], pollOptions).toEqual([1, 'ready']),
    /** Resolves when the playlist of the source lists this many new segments. */
    untilSegments: async (more: number) => {
      const segments = () => session()?.renditions.source.window.view().segments ?? [];
      const msnBefore = segments().at(-1)?.msn;
      const countNew = () =>
        segments().filter(({ msn }) => msnBefore === undefined || msn > msnBefore).length;
      await expect.poll(countNew, pollOptions).toBeGreaterThanOrEqual(more);
    },
    names: async () => (await eventsOf(row.id)).map(({ name }) => name),
    sessionsOf: () => sessionsOf(row.id),
    kill: async (encoder: ChildProcess) => {
      encoder.kill('SIGKILL');
      if (encoder.exitCode === null && encoder.signalCode === null) await once(encoder, 'exit');
    },
    unpublish: (encoder: ChildProcess) => void encoder.stdin?.write('q'),
    longTimeout: pollOptions,
  };
}
