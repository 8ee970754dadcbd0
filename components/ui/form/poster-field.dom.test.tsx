import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import {
  deleteAssetPoster,
  MAX_POSTER_BYTES,
  requestAssetPosterUpload,
  requestStreamPosterUpload,
} from '@/lib/contract/assets/poster';
import { PosterField } from './poster-field';

const service = setUpFakeService();
const id = 'f3a1c7de-93b8-4d26-9a55-2f5c2d4a7b10';
const posterUrl = 'http://localhost:8080/poster/abcdabcdabcdabcd.jpg';
/** A file that claims to be a PNG: zero bytes, because only the size and the type are checked in the browser. */
const createPng = (bytes: number) => new File([new Uint8Array(bytes)], 'poster.png', { type: 'image/png' });

/** Answers requests to the media server, and returns the list in which they are recorded. */
function mockMediaServer() {
  const requests: string[] = [];
  const api = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    if (!url.startsWith('http://localhost:8080/')) return api(url, init);
    requests.push(`${init.method ?? 'GET'} ${new URL(url).pathname}`);
    return Promise.resolve(new Response(new Uint8Array(4), { status: 200 }));
  });
  return requests;
}

test('a chosen file is sent to the requested upload URL', async () => {
  service().on(requestAssetPosterUpload, exampleOf(requestAssetPosterUpload));
  const requests = mockMediaServer();
  const { user } = renderPage(<PosterField owner={{ kind: 'asset', id }} posterUrl={undefined} />);
  await user.upload(screen.getByLabelText('Poster file'), createPng(10));
  await screen.findByText('Poster changed');
  expect(requests).toEqual(['PUT /api/asset/upload/poster']);
});

test('a file that is too large is not sent', async () => {
  const { user } = renderPage(<PosterField owner={{ kind: 'asset', id }} posterUrl={undefined} />);
  await user.upload(screen.getByLabelText('Poster file'), createPng(MAX_POSTER_BYTES + 1));
  await screen.findByText('The file is larger than 4 MB.');
  expect(service().callsOf(requestAssetPosterUpload)).toEqual([]);
});

test('the current thumbnail of a live stream becomes its poster', async () => {
  service().on(requestStreamPosterUpload, exampleOf(requestStreamPosterUpload));
  const requests = mockMediaServer();
  const thumbnailUrl = 'http://localhost:8080/hls/abcd1234efgh5678/thumbnail.jpg?token=x';
  const { user } = renderPage(
    <PosterField owner={{ kind: 'stream', id }} posterUrl={undefined} currentThumbnailUrl={thumbnailUrl} />,
  );
  await user.click(screen.getByRole('button', { name: 'Use the current picture' }));
  await screen.findByText('Poster changed');
  expect(requests).toEqual(['GET /hls/abcd1234efgh5678/thumbnail.jpg', 'PUT /api/asset/upload/poster']);
});

test('an uploaded poster is shown and can be deleted, and an error of the deletion is shown', async () => {
  service().reject(deleteAssetPoster, 'forbidden', 'the team is suspended');
  const { user } = renderPage(<PosterField owner={{ kind: 'asset', id }} posterUrl={posterUrl} />);
  const group = screen.getByRole('group', { name: 'Poster' });
  expect(within(group).getByRole('presentation').getAttribute('src')).toBe(posterUrl);
  await user.click(within(group).getByRole('button', { name: 'Delete picture' }));
  expect((await within(group).findByRole('alert')).textContent).toMatch(/team is suspended/);
  service().on(deleteAssetPoster, undefined);
  await user.click(within(group).getByRole('button', { name: 'Delete picture' }));
  await screen.findByText('Poster deleted');
});
