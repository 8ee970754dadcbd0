import { expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import type { TransferReason } from '@/lib/client/uploads/tus-transfer';
import type { UploadPhase } from '@/lib/core/assets/upload-state';
import { formatRejections, uploadsHeadline, uploadsProgress, uploadStatus } from './upload-text';

const t = englishMessages('upload.uploadText');
/** An upload of 2 MB. */
const createUpload = (
  phase: UploadPhase,
  change: { sent?: number; rate?: number; reason?: TransferReason } = {},
) => ({
  phase,
  size: 2_000_000,
  sent: change.sent ?? 0,
  rate: change.rate ?? null,
  reason: change.reason ?? null,
});

test.each([
  [createUpload('queued'), 'Queued · 2.0 MB'],
  [createUpload('queued', { sent: 1_000_000 }), 'Queued at 50 %'],
  [createUpload('uploading'), '0 % of 2.0 MB'],
  [createUpload('uploading', { sent: 500_000, rate: 100_000 }), '25 % · 100 kB/s · 15 s left'],
  [createUpload('uploading', { sent: 500_000, rate: 0 }), '25 % · 0 B/s'],
  [createUpload('uploading', { sent: 2_000_000 }), 'Checking the file'],
  [createUpload('paused', { sent: 1_999_999 }), 'Paused at 99 %'],
  [
    createUpload('detached', { sent: 860_000 }),
    'Stopped at 43 % when you left the page. Choose the file again to resume.',
  ],
  [createUpload('elsewhere', { sent: 20_000 }), '1 % · in another tab'],
  [
    createUpload('broken', { reason: { fault: 'connectionLost', status: 0 } }),
    'Stopped at 0 %. The connection was lost.',
  ],
  [createUpload('broken', { reason: 'the queue is full' }), 'Stopped at 0 %. The queue is full.'],
  [
    createUpload('failed', { reason: { fault: 'rejected', status: 415 } }),
    'The server rejected the file (status 415).',
  ],
  [createUpload('ready'), 'Ready to play'],
  [
    createUpload('failed', { reason: 'video codec is HEVC; H.264 is accepted' }),
    'Video codec is HEVC; H.264 is accepted.',
  ],
])('the upload %j has the status “%s”', (upload, text) =>
  expect(uploadStatus(t, upload, null, 'en')).toBe(text),
);

test('the status of an upload that is processed has the progress once it is known', () => {
  expect(uploadStatus(t, createUpload('processing'), null, 'en')).toBe('Uploaded · processing');
  expect(uploadStatus(t, createUpload('processing'), 0.426, 'en')).toBe('Uploaded · processing, 42 %');
});

test.each<[UploadPhase[], string]>([
  [['uploading', 'queued', 'ready'], 'Uploading 2 files'],
  [['broken', 'processing'], '1 file has stopped'],
  [['paused', 'detached'], '2 files have stopped'],
  [['processing', 'ready'], 'Processing 1 file'],
  [['ready'], '1 file ready'],
  [['ready', 'failed'], '1 file ready, 1 failed'],
  [['failed', 'failed'], '2 files failed'],
])('uploads with the phases %j have the headline “%s”', (phases, text) =>
  expect(
    uploadsHeadline(
      t,
      phases.map((phase) => createUpload(phase)),
    ),
  ).toBe(text),
);

test('the total progress counts the bytes of uploads that are being sent or queued, and is empty without any', () => {
  const uploads = [createUpload('uploading', { sent: 1_000_000, rate: 200_000 }), createUpload('queued')];
  expect(uploadsProgress(t, uploads)).toBe('25 % · 15 s left');
  expect(uploadsProgress(t, [createUpload('queued')])).toBe('0 %');
  expect(uploadsProgress(t, [createUpload('processing', { sent: 2_000_000 })])).toBe('');
});

test('the first rejected file is named with its reason, and others are counted', () => {
  const rejection = { name: 'notes.txt', reason: 'notVideo' } as const;
  expect(formatRejections(t, [])).toBe('');
  expect(formatRejections(t, [rejection])).toBe('“notes.txt” is not a video.');
  expect(formatRejections(t, [rejection, rejection])).toBe(
    '“notes.txt” is not a video. One other file was not added either.',
  );
  expect(formatRejections(t, [rejection, rejection, rejection])).toContain(
    '2 other files were not added either.',
  );
  expect(formatRejections(t, [{ name: 'a.mkv', reason: 'notMp4' }])).toContain(
    'MP4 with H.264 video and AAC audio',
  );
  expect(formatRejections(t, [{ name: 'a.mp4', reason: 'tooMany' }])).toBe(
    '“a.mp4” was not added: at most 200 files at a time.',
  );
});
