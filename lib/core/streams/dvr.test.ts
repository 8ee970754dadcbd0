import { expect, test } from 'vitest';
import { dvrSecondsOf, MAX_DVR_SECONDS } from './dvr';

test.each([
  [true, undefined, MAX_DVR_SECONDS],
  [true, null, MAX_DVR_SECONDS],
  [false, null, 0],
  [true, 0, 0],
  [true, 60, 60],
  [false, 600, 600],
])(
  'the DVR window of a stream with record: %s and dvrSeconds: %s is %d seconds',
  (record, dvrSeconds, seconds) => {
    expect(dvrSecondsOf({ record, dvrSeconds })).toBe(seconds);
  },
);
