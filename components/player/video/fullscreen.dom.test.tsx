import { afterEach, expect, test, vi } from 'vitest';
import { toggleFullscreen } from './media-actions';

afterEach(() => {
  Reflect.deleteProperty(document, 'fullscreenEnabled');
});

const setFullscreenEnabled = (fullscreenEnabled: boolean) =>
  Object.defineProperty(document, 'fullscreenEnabled', { value: fullscreenEnabled, configurable: true });

function createStage() {
  const stage = document.createElement('section');
  const enterVideoFullscreen = vi.fn();
  const requestStageFullscreen = vi.fn(() => Promise.resolve());
  const video = Object.assign(document.createElement('video'), {
    webkitEnterFullscreen: enterVideoFullscreen,
  });
  stage.requestFullscreen = requestStageFullscreen;
  return { stage, video, requestStageFullscreen, enterVideoFullscreen };
}

test('an iPhone, which has no full screen for elements, shows the video itself in full screen', async () => {
  setFullscreenEnabled(false);
  const { stage, video, requestStageFullscreen, enterVideoFullscreen } = createStage();
  await toggleFullscreen(stage, video);
  expect(enterVideoFullscreen).toHaveBeenCalledOnce();
  expect(requestStageFullscreen).not.toHaveBeenCalled();
});

test('other browsers show the stage with its control bar in full screen', async () => {
  setFullscreenEnabled(true);
  const { stage, video, requestStageFullscreen, enterVideoFullscreen } = createStage();
  await toggleFullscreen(stage, video);
  expect(requestStageFullscreen).toHaveBeenCalledOnce();
  expect(enterVideoFullscreen).not.toHaveBeenCalled();
});
