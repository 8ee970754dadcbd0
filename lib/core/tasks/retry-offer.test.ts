import { expect, test } from 'vitest';
import { type EndedTask, chooseRetryOffer } from './retry-offer';

const upload: EndedTask = {
  phase: 'failed',
  code: 'video_codec',
  isUpload: true,
  isConversion: false,
  isImport: true,
};

test.each([
  ['a codec is converted', upload, 'convert'],
  ['a conversion that failed is not offered again', { ...upload, isConversion: true }, null],
  ['an upload with a truncated file is not retried', { ...upload, code: 'file_cut' }, null],
  [
    'a truncated file behind a URL is retried, because it may be complete now',
    { ...upload, code: 'file_cut', isUpload: false },
    'again',
  ],
  ['a fault of the server is retried', { ...upload, code: 'server_fault' }, 'again'],
  ['a failure without a code is retried', { ...upload, code: undefined }, 'again'],
  ['a cancelled task can be retried', { ...upload, phase: 'cancelled', code: undefined }, 'again'],
  ['a running task is not retried', { ...upload, phase: 'running' }, null],
  [
    'a clip without media is not retried',
    { ...upload, isImport: false, isUpload: false, code: 'nothing_recorded_then' },
    null,
  ],
] as const)('chooseRetryOffer decides: %s', (_, task, offer) => {
  expect(chooseRetryOffer(task, { allowsConversion: true })).toBe(offer);
});

test('a codec error offers no retry if conversions are not allowed', () => {
  expect(chooseRetryOffer(upload, { allowsConversion: false })).toBeNull();
});
