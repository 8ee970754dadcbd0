import { vi } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { createLogger } from '@/lib/infra/logger';
import { noProgram, type ProgramSettings } from '@/lib/domain/streams';
import { FakeConnection } from '@/media-worker/live/session/testing/fake-connection';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { PublishEnd } from '@/media-worker/media/packets/publish';
import { Rendition } from '@/media-worker/media/packaging/rendition';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import { LiveWindow } from '@/media-worker/media/packaging/window';
import { Program } from '@/media-worker/live/program/program';
import type { EncoderRole } from '@/media-worker/live/program/program-input';
import type { MakeSlate } from '@/media-worker/live/program/slate';

/** The configuration record that x264 writes for a slate beside `CONFIG_RECORDS.high320`. */
const SLATE_RECORD = Buffer.from(
  '0142c00dffe100186742c00d5681519e226c3840000003004000000f03c50aa80100056848e31320',
  'hex',
);

const slateFrames = Array.from({ length: 100 }, (_, index) => ({
  key: index % 50 === 0,
  payload: Buffer.from([0, 0, 0, 2, index % 50 === 0 ? 0x65 : 0x41, index]),
}));

const makeTestSlate: MakeSlate = () =>
  Promise.resolve({ record: SLATE_RECORD, frames: slateFrames, frameMs: 40 });

/** Opens a program and collects its packets, and its changes as lines of text. Use fake timers. */
export function openProgram(settings: Partial<ProgramSettings> = {}, makeSlate: MakeSlate = makeTestSlate) {
  const packets: MediaPacket[] = [];
  const lines: string[] = [];
  let endReason: PublishEnd | null = null;
  const window = new LiveWindow({ clock: systemClock, minListedCount: 1_000, olderCount: 1_000 });
  const rendition = new Rendition('source', window);
  const program = new Program({
    ids: { streamId: 'stream', sessionId: 'session' },
    rendition,
    clock: systemClock,
    log: createLogger('test', 'silent'),
    makeSlate,
    observer: {
      onFirstSegment: () => lines.push('playable'),
      onIssues: () => undefined,
      onReject: (message) => lines.push(`rejected ${message}`),
      onMedia: () => undefined,
      onChange: () => {
        const input = program.input ?? 'nothing';
        if (lines.findLast((line) => line.startsWith('on air')) !== `on air ${input}`)
          lines.push(`on air ${input}`);
      },
      onEnd: (reason) => lines.push(`ended ${reason}`),
    },
  });
  rendition.onBus((bus) =>
    bus.subscribe({ packet: (packet) => packets.push(packet), end: (reason) => (endReason = reason) }),
  );
  program.configure({ ...noProgram, ...settings });
  const connect = (role: EncoderRole = 'primary', publishNumber = 1): FakeConnection => {
    const connection = new FakeConnection(() => systemClock.monotonic());
    connection.onAdmitted(program.connect(role, connection, publishNumber));
    return connection;
  };
  const segments = () => window.view().segments.flatMap(({ msn }) => window.findSegment(msn) ?? []);
  return { program, connect, packets, lines, segments, busEnd: () => endReason };
}

interface PlayOptions {
  readonly seconds: number;
  /** Decode time of the first frame. */
  readonly fromMs?: number;
  readonly video?: Buffer;
  readonly audio?: Buffer;
  readonly gopMs?: number;
  /** Whether video is HEVC, with `video` as its record. */
  readonly hevc?: boolean;
  /** Whether the configurations were sent by an earlier `play`. */
  readonly isContinuation?: boolean;
}

/** Converts a packet to HEVC: a keyframe becomes an IDR picture, any other frame a trailing picture. */
function toHevc(packet: MediaPacket): MediaPacket {
  if (packet.kind === 'audio') return packet;
  if (packet.role === 'config') return { ...packet, codec: 'hevc' };
  return { ...packet, codec: 'hevc', payload: Buffer.from([0, 0, 0, 3, packet.key ? 0x26 : 0x02, 1, 0xaf]) };
}

/** Lets all encoders send at the same time, at the pace of the fake timers. */
export async function play(pairs: readonly (readonly [FakeConnection, PlayOptions])[]): Promise<void> {
  const sends: { readonly sendMs: number; readonly send: () => void }[] = [];
  for (const [connection, options] of pairs) {
    const {
      seconds,
      fromMs = 0,
      video,
      audio,
      gopMs = 2_000,
      hevc = false,
      isContinuation = false,
    } = options;
    const encode = (packet: MediaPacket) => (hevc ? toHevc(packet) : packet);
    if (!isContinuation) connection.publish([encode(videoConfig(video)), audioConfig(audio)]);
    for (const packet of steadyFrames({ fromMs, untilMs: fromMs + seconds * 1_000, gopMs }))
      sends.push({ sendMs: packet.dts - fromMs, send: () => connection.publish([encode(packet)]) });
  }
  let lastMs = 0;
  for (const { sendMs, send } of sends.toSorted((a, b) => a.sendMs - b.sendMs)) {
    await vi.advanceTimersByTimeAsync(sendMs - lastMs);
    lastMs = sendMs;
    send();
  }
}

/** The intervals between the decode times of successive frames of a track, ms. */
export const frameIntervalsOf = (packets: readonly MediaPacket[], kind: MediaPacket['kind']): number[] => {
  const frames = packets.filter((packet) => packet.kind === kind && packet.role === 'frame');
  return frames.slice(1).map(({ dts }, index) => dts - (frames[index]?.dts ?? 0));
};
