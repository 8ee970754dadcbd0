import { expect, test } from 'vitest';
import { rejectionOf } from './publish-rejection';

test('the owner of a stream is told of its suspension; a stream that is gone has no owner', () => {
  expect(rejectionOf('suspended')?.reason).toBe('stream_suspended');
  expect(rejectionOf('account_suspended')?.reason).toBe('account_suspended');
  expect([rejectionOf('deleted'), rejectionOf('child_stream')]).toEqual([null, null]);
});
