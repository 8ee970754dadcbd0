import { expect, test } from 'vitest';
import { type EndedTask, retryOffer } from './retry-offer';

const upload: EndedTask = {
  phase: 'failed',
  code: 'video_codec',
  uploaded: true,
  converts: false,
  isImport: true,
};

test.each([
  ['a codec is converted', upload, 'convert'],
  ['a conversion that failed is not offered again', { ...upload, converts: true }, null],
  ['a broken upload stays broken', { ...upload, code: 'file_cut' }, null],
  ['a file behind a URL may be mended', { ...upload, code: 'file_cut', uploaded: false }, 'again'],
  ['a fault of the server passes', { ...upload, code: 'server_fault' }, 'again'],
  ['a failure without a code may pass', { ...upload, code: undefined }, 'again'],
  ['what was cancelled may run', { ...upload, phase: 'cancelled', code: undefined }, 'again'],
  ['what is running is not retried', { ...upload, phase: 'running' }, null],
  [
    'a clip of nothing stays empty',
    { ...upload, isImport: false, uploaded: false, code: 'nothing_recorded_then' },
    null,
  ],
] as const)('%s', (_, task, offer) => {
  expect(retryOffer(task, true)).toBe(offer);
});

test('without conversions, a codec is final', () => {
  expect(retryOffer(upload, false)).toBeNull();
});
