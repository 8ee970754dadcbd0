import { expect, test } from 'vitest';
import { fallbackOf } from './fallback';

test.each([
  [406, '{"errors":["…"],"reason":"b_frames"}', 'b_frames'],
  [406, '{"errors":["…"],"reason":"codec"}', 'codec'],
  [406, '{"reason":"something new"}', 'codec'],
  [406, 'not JSON', 'codec'],
  [503, '', 'unavailable'],
  [400, '', 'unavailable'],
  [404, '', null],
  [403, '{"refusal":"token_required"}', null],
] as const)(
  'a rejected offer with status %i and body %j has the fallback reason %s',
  (status, body, reason) => expect(fallbackOf(status, body)).toBe(reason),
);
