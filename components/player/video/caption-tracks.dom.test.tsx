import { expect, test } from 'vitest';
import { type Captions, followCaptions } from './caption-tracks';

/** Captions of a video that starts with tracks in these languages; its default is the first one. */
function openVideo(...languages: string[]): Captions {
  const tracks = languages.map((language, index) => ({
    kind: 'subtitles',
    label: '',
    language,
    mode: index === 0 ? 'showing' : 'disabled',
  }));
  const list = Object.assign(new EventTarget(), tracks, { length: tracks.length });
  const video = { textTracks: list, readyState: 0 } as unknown as HTMLVideoElement;
  const reports: Captions[] = [];
  followCaptions(video, true, (captions) => reports.push(captions))();
  const [captions] = reports;
  if (!captions) throw new Error('the captions are reported at once');
  return captions;
}

test('the next video starts with the chosen language, or without captions', () => {
  openVideo('en', 'de').choose(1);
  expect(openVideo('fr', 'de').shownTrack).toBe(1);
  openVideo('en', 'de').choose(-1);
  expect(openVideo('fr', 'de').shownTrack).toBe(-1);
});

test('a choice of captions without a language does not turn captions off in the next video', () => {
  openVideo('en', '').choose(1);
  expect(openVideo('fr', 'de').shownTrack).toBe(0);
});
