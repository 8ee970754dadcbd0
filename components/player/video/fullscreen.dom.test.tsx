import { afterEach, expect, test, vi } from 'vitest';
import { toggleFullscreen } from './media-actions';

afterEach(() => {
  Reflect.deleteProperty(document, 'fullscreenEnabled');
});

const allow = (fullscreenEnabled: boolean) =>
  Object.defineProperty(document, 'fullscreenEnabled', { value: fullscreenEnabled, configurable: true });

function picture() {
  const stage = document.createElement('section');
  const ofVideo = vi.fn();
  const ofStage = vi.fn(() => Promise.resolve());
  const video = Object.assign(document.createElement('video'), { webkitEnterFullscreen: ofVideo });
  stage.requestFullscreen = ofStage;
  return { stage, video, ofStage, ofVideo };
}

test('an iPhone, which has no full screen for elements, makes the video full', async () => {
  allow(false);
  const { stage, video, ofStage, ofVideo } = picture();
  await toggleFullscreen(stage, video);
  expect(ofVideo).toHaveBeenCalledOnce();
  expect(ofStage).not.toHaveBeenCalled();
});

test('elsewhere the stage is full, with its bar', async () => {
  allow(true);
  const { stage, video, ofStage, ofVideo } = picture();
  await toggleFullscreen(stage, video);
  expect(ofStage).toHaveBeenCalledOnce();
  expect(ofVideo).not.toHaveBeenCalled();
});
