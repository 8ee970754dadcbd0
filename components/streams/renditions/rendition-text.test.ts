import { expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import { createLadder } from '@/lib/core/renditions/ladder';
import { planTranscode } from '@/lib/core/renditions/transcode-plan';
import { describeRendition, renditionState } from './rendition-text';

const t = englishMessages('streams.renditionTexts');
const hd = { name: '720p', width: 1280, height: 720, bitrate: 3_000_000, fps: 30 };
const low = { name: '360p', width: 640, height: 360, bitrate: 800_000, fps: 0 };

test.each([
  [hd, '1280×720 · 3.0 Mbit/s · 30 fps'],
  [low, '640×360 · 800 kbit/s · source frame rate'],
  [{ ...hd, fps: 30_000, fpsDen: 1001 }, '1280×720 · 3.0 Mbit/s · 29.97 fps'],
])('the rendition %j is described as “%s”', (profile, text) =>
  expect(describeRendition(t, profile, 'en')).toBe(text),
);

const liveWith = (issues: readonly string[] | null) => ({ isActive: true, issues });

test('a rendition of an idle stream has no state', () => {
  expect(renditionState(t, '720p', { isActive: false, issues: null })).toBeNull();
});

test('a rendition that is larger than the source is shown as left out, others as running', () => {
  const { skipped } = createLadder([hd, low], { width: 640, height: 360, fps: 30 });
  const stream = liveWith(['Keyframes every 8 s', ...skipped]);
  expect(renditionState(t, '720p', stream)).toEqual({ label: 'Left out', tone: 'warn' });
  expect(renditionState(t, '360p', stream)).toEqual({ label: 'Running', tone: 'accent' });
  // The start of another name.
  expect(renditionState(t, '720', stream)).toEqual({ label: 'Running', tone: 'accent' });
  expect(renditionState(t, '720p', liveWith(null))?.label).toBe('Running');
});

test('a rendition is paused on a busy machine, and left out for an audio-only stream', () => {
  const busyStream = (source: { width: number; height: number; fps: number } | null) =>
    liveWith(planTranscode({ profiles: [hd, low], source, droppedRenditionCount: 1, freeCores: 64 }).issues);
  const fullHd = { width: 1920, height: 1080, fps: 30 };
  expect(renditionState(t, '720p', busyStream(fullHd))?.label).toBe('Paused');
  expect(renditionState(t, '360p', busyStream(fullHd))?.label).toBe('Running');
  expect(renditionState(t, '360p', busyStream(null))?.label).toBe('Left out');
});

test('renditions are shown as restarting while the transcoder restarts', () => {
  const stream = liveWith(['transcoding failed and is restarting: ffmpeg ended']);
  expect(renditionState(t, '360p', stream)).toEqual({ label: 'Restarting', tone: 'warn' });
});
