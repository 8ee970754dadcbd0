import { expect, test } from 'vitest';
import { seekToDvrStart } from './dvr-start';

const DVR_SECONDS = 60;

/** A video element at the live edge, `end`, of a live window that the test can move. */
function createLiveVideo(start: number, end: number) {
  const video = document.createElement('video');
  const window = { start, end };
  Object.defineProperties(video, {
    duration: { value: Infinity },
    seekable: { value: { length: 1, start: () => window.start, end: () => window.end } },
  });
  let position = end;
  Object.defineProperty(video, 'currentTime', {
    get: () => position,
    set: (seconds: number) => {
      position = seconds;
      video.dispatchEvent(new Event('seeking'));
    },
  });
  return { video, window };
}

test('going back seeks once to 30 s before the live edge, as soon as the window is known', () => {
  const { video } = createLiveVideo(0, 45);
  seekToDvrStart(video, 'step', DVR_SECONDS);
  expect(video.currentTime).toBe(45);
  video.dispatchEvent(new Event('canplay'));
  expect(video.currentTime).toBe(15);
  video.currentTime = 40;
  video.dispatchEvent(new Event('progress'));
  expect(video.currentTime).toBe(40);
});

test('a seek to the start of a session that is shorter than the DVR window ends there', () => {
  const { video } = createLiveVideo(0, 40);
  seekToDvrStart(video, 'start', DVR_SECONDS);
  video.dispatchEvent(new Event('canplay'));
  expect(video.currentTime).toBe(0);
  video.currentTime = 30;
  video.currentTime = 0;
  expect(video.currentTime).toBe(0);
});

test('a seek to the moving start of the window ends 12 s inside it', () => {
  const { video, window } = createLiveVideo(0, 40);
  seekToDvrStart(video, 'start', DVR_SECONDS);
  video.dispatchEvent(new Event('canplay'));
  Object.assign(window, { start: 30, end: 88 });
  video.currentTime = 30;
  expect(video.currentTime).toBe(42);
  // A seek may end slightly before its target.
  video.currentTime = 41.8;
  expect(video.currentTime).toBe(41.8);
});

test('after the return to the live edge, seeks are not corrected', () => {
  const { video, window } = createLiveVideo(0, 40);
  const stopCorrecting = seekToDvrStart(video, 'start', DVR_SECONDS);
  video.dispatchEvent(new Event('canplay'));
  stopCorrecting();
  Object.assign(window, { start: 30, end: 88 });
  video.currentTime = 30;
  expect(video.currentTime).toBe(30);
});
