import { afterEach, expect, test, vi } from 'vitest';
import { toggleFullscreen } from './media-actions';

afterEach(() => {
  Reflect.deleteProperty(document, 'fullscreenEnabled');
});

const setFullscreenEnabled = (fullscreenEnabled: boolean) =>
  Object.defineProperty(document, 'fullscreenEnabled', { value: fullscreenEnabled, configurable: true });

function openStage() {
  const stage = document.createElement('section');
  const videoFullscreen = vi.fn();
  const stageFullscreen = vi.fn(() => Promise.resolve());
  const video = Object.assign(document.createElement('video'), { webkitEnterFullscreen: videoFullscreen });
  stage.requestFullscreen = stageFullscreen;
  return { stage, video, ofStage: stageFullscreen, ofVideo: videoFullscreen };
}

test('an iPhone, without full screen for elements, shows the video itself in full screen', async () => {
  setFullscreenEnabled(false);
  const { stage, video, ofStage, ofVideo } = openStage();
  await toggleFullscreen(stage, video);
  expect(ofVideo).toHaveBeenCalledOnce();
  expect(ofStage).not.toHaveBeenCalled();
});

test('other browsers show the stage with its bar in full screen', async () => {
  setFullscreenEnabled(true);
  const { stage, video, ofStage, ofVideo } = openStage();
  await toggleFullscreen(stage, video);
  expect(ofStage).toHaveBeenCalledOnce();
  expect(ofVideo).not.toHaveBeenCalled();
});
