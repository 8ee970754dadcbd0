import { expect, test } from 'vitest';
import { type Captions, followCaptions } from './caption-tracks';

/** Captions of a new video with tracks in these languages, of which the first is its default. */
function openVideo(...languages: string[]): Captions {
  const tracks = languages.map((language, index) => ({
    kind: 'subtitles',
    label: '',
    language,
    mode: index === 0 ? 'showing' : 'disabled',
  }));
  const textTracks = Object.assign(new EventTarget(), tracks, { length: tracks.length });
  const video = { textTracks, readyState: 0 } as unknown as HTMLVideoElement;
  const reports: Captions[] = [];
  followCaptions(video, true, (captions) => reports.push(captions))();
  const [captions] = reports;
  if (!captions) throw new Error('the captions are reported immediately');
  return captions;
}

test('the next video starts with the language that was chosen last, or without captions if they were turned off', () => {
  openVideo('en', 'de').choose(1);
  expect(openVideo('fr', 'de').shownTrack).toBe(1);
  openVideo('en', 'de').choose(-1);
  expect(openVideo('fr', 'de').shownTrack).toBe(-1);
});

test('after a choice of captions without a language, the next video starts with its default', () => {
  openVideo('en', '').choose(1);
  expect(openVideo('fr', 'de').shownTrack).toBe(0);
});
