import { expect, test } from 'vitest';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { ProgramTimeline } from './program-timeline';

/** Opens a program timeline, and collects the times of its output. */
function openTimeline() {
  const out: string[] = [];
  const line = new ProgramTimeline(({ kind, dts, pts }) => void out.push(`${kind} ${dts} ${pts - dts}`), {
    monotonic: () => 0,
  });
  const push = (kind: MediaPacket['kind'], dts: number, ahead = 0) => {
    const frame = { role: 'frame', dts, pts: dts + ahead, payload: Buffer.alloc(1) } as const;
    line.push(
      kind === 'video' ? { ...frame, kind, codec: 'avc', key: true } : { ...frame, kind, codec: 'aac' },
    );
  };
  return { line, out, push };
}

test('a frame whose time goes back is shown after the previous one', () => {
  const { out, push } = openTimeline();
  push('video', 1_000);
  push('video', 1_040, 80);
  push('video', 1_020, 80);
  expect(out).toEqual(['video 1000 0', 'video 1040 80', 'video 1041 80']);
});

test('after a seam, audio from before the first frame is left out', () => {
  const { line, out, push } = openTimeline();
  push('video', 0);
  push('video', 40);
  push('audio', 50);
  line.startInput();
  out.length = 0;
  push('video', 9_000);
  push('audio', 8_990);
  push('audio', 9_000);
  expect(out).toEqual(['video 80 0', 'audio 80 0']);
});
