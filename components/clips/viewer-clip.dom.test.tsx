import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { createViewerClip } from '@/lib/contract/assets/clip';
import type { ErrorCode } from '@/lib/core/errors';
import ViewerClipEditor, { type ViewerClipTarget } from './viewer-clip';

const service = setUpFakeService();
const playbackId = 'f3a1h2v9c8x7m6n5';
/** Unix milliseconds. */
const FIRST_FRAME_DATE = 1_900_000_000_000;

/**
 * Opens the editor at second 100 of a video of ten minutes.
 * @param hasDate whether the player knows the dates of the frames; the first one is `FIRST_FRAME_DATE`
 */
function openEditor({
  proof = null,
  hasDate = true,
  duration = 600,
}: { proof?: ViewerClipTarget[1]; hasDate?: boolean; duration?: number } = {}) {
  const video = document.createElement('video');
  const seekable = { length: 1, start: () => 0, end: () => 600 };
  Object.defineProperties(video, { duration: { value: duration }, seekable: { value: seekable } });
  video.currentTime = 100;
  const dateAt = (seconds: number) => (hasDate ? FIRST_FRAME_DATE + seconds * 1_000 : null);
  const onClose = vi.fn();
  return {
    ...renderPage(
      <ViewerClipEditor playbackId={playbackId} target={[{ video, dateAt }, proof]} onClose={onClose} />,
    ),
    onClose,
    video,
  };
}
const createButton = () => screen.getByRole('button', { name: 'Create clip' });

test('the 15 s before the position become a clip, whose link is shown', async () => {
  const example = exampleOf(createViewerClip);
  service().on(createViewerClip, example);
  const { user, onClose } = openEditor({ proof: { name: 'token', value: 'a&b' } });
  await user.click(createButton());
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Open clip' });
  expect(link.href).toBe(example.url);
  screen.getByRole('group', { name: 'Link to the clip' });
  const [call] = service().callsOf(createViewerClip);
  expect(call?.params.id).toBe(playbackId);
  expect(call?.query).toEqual({ token: 'a&b' });
  expect(call?.body).toEqual({ startTime: FIRST_FRAME_DATE + 85_000, endTime: FIRST_FRAME_DATE + 100_000 });
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('the editor opens and closes in a browser whose scrollIntoView returns a promise', () => {
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => Promise.resolve() as never);
  const { unmount } = openEditor();
  unmount();
  vi.restoreAllMocks();
});

test.each<[ErrorCode, string]>([
  ['rate_limited', 'Too many clips were made here. Try again later.'],
  ['invalid', 'This part is not recorded. Choose another one.'],
  ['forbidden', 'Clips cannot be made here at the moment.'],
  ['unavailable', 'The server is not responding. Try again.'],
])('the error %s is explained, and the request can be retried', async (code, text) => {
  service().reject(createViewerClip, code, 'a message of the server');
  const { user } = openEditor();
  await user.click(createButton());
  await screen.findByText(text);
  service().on(createViewerClip, exampleOf(createViewerClip));
  await user.click(createButton());
  await screen.findByRole('link', { name: 'Open clip' });
});

test('i and o set the start and the end to the position of the player', async () => {
  const { user, video } = openEditor();
  const sliderValue = (label: string) => screen.getByRole<HTMLInputElement>('slider', { name: label }).value;
  video.currentTime = 95;
  await user.keyboard('i');
  video.currentTime = 98;
  await user.keyboard('o');
  expect([sliderValue('Start'), sliderValue('End')]).toEqual(['95', '98']);
});

test('no clip is requested if the dates of the frames are unknown', async () => {
  const { user } = openEditor({ hasDate: false });
  await user.click(createButton());
  await waitFor(() => screen.getByText(/The time of this picture is not known/));
  expect(service().callsOf(createViewerClip)).toEqual([]);
});

test('the editor closes when the player restarts a live stream, but not for a recorded video', () => {
  const liveEditor = openEditor({ duration: Infinity });
  liveEditor.video.dispatchEvent(new Event('emptied'));
  expect(liveEditor.onClose).toHaveBeenCalledOnce();
  const recordedEditor = openEditor();
  recordedEditor.video.dispatchEvent(new Event('emptied'));
  expect(recordedEditor.onClose).not.toHaveBeenCalled();
});
