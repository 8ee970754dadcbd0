import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PublishLifecycle } from '@/media-worker/ingest/publisher/publish-lifecycle';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { PublishEnd } from '@/media-worker/media/packets/publish';
import { MovablePublish } from './movable-publish';
import { TakeoverGate } from './takeover-gate';

const payload = Buffer.alloc(4);
const video = (dts: number, key = false): MediaPacket => ({
  kind: 'video',
  codec: 'avc',
  role: 'frame',
  key,
  dts,
  pts: dts,
  payload,
});
const audio = (dts: number, role: 'frame' | 'config' = 'frame'): MediaPacket => ({
  kind: 'audio',
  codec: 'aac',
  role,
  dts,
  pts: dts,
  payload,
});
const tracks = {
  video: { mid: '0', payloadType: 102, clockRate: 90_000, codec: 'avc' as const, layers: null },
  audio: { mid: '1', payloadType: 111, clockRate: 48_000 },
};

function createMovablePublish() {
  const clock = { now: 0 };
  const passedDts: number[] = [];
  const closedConnections: string[] = [];
  let endReason: PublishEnd | null = null;
  const lifecycle: PublishLifecycle = new PublishLifecycle({
    id: 'a',
    ip: '127.0.0.1',
    source: 'encoder',
    now: () => clock.now,
    limits: { queuedPackets: 10, queuedBytes: 1_000 },
    close: () => movable.closeAll(),
    onEnd: (reason) => (endReason = reason),
  });
  lifecycle.attachSink({ push: ({ dts }) => passedDts.push(dts), end: () => undefined });
  const movable = new MovablePublish({
    publish: lifecycle,
    keyFingerprint: 'key',
    tracks,
    now: () => clock.now,
    log: { info: () => undefined },
  });
  const firstConnection = movable.createFirstConnection(() => closedConnections.push('first'));
  return {
    clock,
    passedDts,
    closedConnections,
    movable,
    lifecycle,
    firstConnection,
    endReason: () => endReason,
  };
}

describe('a publish', () => {
  test('moves only after a rejected ICE restart, with its key and its tracks, for ten seconds', () => {
    const { movable, firstConnection, clock } = createMovablePublish();
    expect(movable.isContinuedBy('key', tracks)).toBe(false);
    firstConnection.expectMove();
    expect(movable.isContinuedBy('key', tracks)).toBe(true);
    expect(movable.isContinuedBy('other', tracks)).toBe(false);
    expect(movable.isContinuedBy('key', { ...tracks, audio: null })).toBe(false);
    expect(movable.isContinuedBy('key', { ...tracks, video: { ...tracks.video, codec: 'hevc' } })).toBe(
      false,
    );
    clock.now += 10_001;
    expect(movable.isContinuedBy('key', tracks)).toBe(false);
  });

  test('continues on the next connection from its first keyframe with audio; the previous one sends until then', () => {
    const { movable, firstConnection, passedDts, closedConnections, endReason } = createMovablePublish();
    firstConnection.push(video(0, true));
    firstConnection.expectMove();
    const nextConnection = movable.createNextConnection(() => closedConnections.push('second'));
    nextConnection.push(video(20, true));
    firstConnection.push(video(33));
    nextConnection.push(audio(30, 'config'));
    nextConnection.push(audio(40));
    expect(nextConnection.wantsKeyframe).toBe(true);
    nextConnection.push(video(50));
    firstConnection.push(video(66));
    expect(closedConnections).toEqual([]);
    nextConnection.push(video(80, true));
    firstConnection.push(video(99));
    nextConnection.push(video(110));
    expect(passedDts).toEqual([0, 33, 66, 30, 80, 110]);
    expect(closedConnections).toEqual(['first']);
    firstConnection.end('finished');
    expect(endReason()).toBeNull();
    nextConnection.end('lost');
    expect(endReason()).toBe('lost');
  });

  test('does not wait for audio when the previous connection is silent or has ended', () => {
    const silentCase = createMovablePublish();
    silentCase.firstConnection.push(video(0, true));
    silentCase.firstConnection.expectMove();
    silentCase.clock.now += 250;
    silentCase.movable.createNextConnection(() => undefined).push(video(500, true));
    expect(silentCase.passedDts).toEqual([0, 500]);
    const endedCase = createMovablePublish();
    endedCase.firstConnection.expectMove();
    const nextConnection = endedCase.movable.createNextConnection(() => undefined);
    endedCase.firstConnection.end('finished');
    expect(endedCase.endReason()).toBeNull();
    nextConnection.push(video(10, true));
    expect(endedCase.passedDts).toEqual([10]);
  });

  test('stays with its connection when the next one fails', () => {
    const { movable, firstConnection, passedDts, endReason } = createMovablePublish();
    firstConnection.expectMove();
    movable.createNextConnection(() => undefined).end('lost');
    firstConnection.push(video(33));
    expect(passedDts).toEqual([33]);
    expect(endReason()).toBeNull();
  });

  test('is interrupted, not ended, when the client closes its connection before it opens the next one', () => {
    const { firstConnection, endReason } = createMovablePublish();
    firstConnection.expectMove();
    firstConnection.end('finished');
    expect(endReason()).toBe('lost');
    const caseWithoutMove = createMovablePublish();
    caseWithoutMove.firstConnection.end('finished');
    expect(caseWithoutMove.endReason()).toBe('finished');
  });

  test('closes all its connections when the live process ends it', () => {
    const { movable, firstConnection, lifecycle, closedConnections } = createMovablePublish();
    firstConnection.expectMove();
    movable.createNextConnection(() => closedConnections.push('second'));
    lifecycle.disconnect('cut');
    expect(closedConnections).toEqual(['first', 'second']);
  });
});

test('a gate opens at a keyframe after audio, or without audio if urgent, and passes configurations first', () => {
  const anyPacket = fc.oneof(
    fc.record({ dts: fc.nat(), key: fc.boolean() }).map(({ dts, key }) => video(dts, key)),
    fc
      .record({ dts: fc.nat(), role: fc.constantFrom('frame' as const, 'config' as const) })
      .map(({ dts, role }) => audio(dts, role)),
  );
  fc.assert(
    fc.property(fc.array(anyPacket), fc.boolean(), (packets, isUrgent) => {
      const gate = new TakeoverGate(tracks);
      for (const [index, packet] of packets.entries()) {
        const passedPackets = gate.push(packet, index, isUrgent);
        if (!passedPackets) continue;
        expect(passedPackets.at(-1)).toMatchObject({ kind: 'video', key: true });
        expect(passedPackets.slice(0, -1).every(({ role }) => role === 'config')).toBe(true);
        const hasAudio = packets
          .slice(0, index)
          .some(({ kind, role }) => kind === 'audio' && role === 'frame');
        expect(isUrgent || hasAudio).toBe(true);
        return;
      }
      const isOpenable = (packetCount: number) =>
        isUrgent ||
        packets.slice(0, packetCount).some(({ kind, role }) => kind === 'audio' && role === 'frame');
      expect(
        packets.some((packet, index) => packet.kind === 'video' && packet.key && isOpenable(index)),
      ).toBe(false);
    }),
  );
});
