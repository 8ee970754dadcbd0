import { afterAll, expect, test } from 'vitest';
import { readDecodingErrors } from '@/media-worker/vod/testing/rendition-fixtures';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { decodeFrames, joinSegments, readSegmentTimes, writeHlsFolder } from './testing/indexed-video';

const samples = createSampleFiles();
afterAll(() => samples.remove());

/** A file with one keyframe, whose audio lasts longer than its video. */
function oneKeyframe(name: string, videoSeconds: number, audioSeconds: number): string {
  samples.ffmpeg(
    ...['-f', 'lavfi', '-i', `testsrc2=size=160x90:rate=25:duration=${videoSeconds}`],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${audioSeconds}`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-g', '9999', '-sc_threshold', '0', '-c:a', 'aac'],
    samples.path(name),
  );
  return samples.path(name);
}

test.each([
  [8, 18, 12.1],
  [8, 12.5, 12.1],
  [15, 20, 15.1],
])(
  '%i s of video with one keyframe, and %f s of audio, have segments shorter than %f s',
  async (video, audio, maxSeconds) => {
    const path = oneKeyframe(`${video}-${audio}.mp4`, video, audio);
    const folder = await writeHlsFolder(path, samples.folder);
    const seconds = readSegmentTimes(folder).map((segment) => segment.playlistDuration);
    expect(seconds.length).toBeGreaterThan(1);
    expect(Math.max(...seconds)).toBeLessThan(maxSeconds);
    expect(Math.min(...seconds)).toBeGreaterThan(1.9);
    const hls = joinSegments(folder);
    expect(readDecodingErrors(hls)).toBe('');
    const shownFrames = decodeFrames(hls);
    const frames = decodeFrames(path);
    expect(shownFrames.slice(0, frames.length).map(({ hash }) => hash)).toEqual(
      frames.map(({ hash }) => hash),
    );
    expect(shownFrames.length).toBeGreaterThan(frames.length);
  },
);
