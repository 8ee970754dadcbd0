import { describe, expect, test } from 'vitest';
import { createErrorBody, reasonOf, reasonsOf } from './reason';
import { errorMessages } from './messages';

test('a message without parameters has its code', () => {
  expect(reasonOf('the file is empty')).toEqual({ code: 'file_empty', params: {} });
});

test('the reason of a message has its parameters, and numbers are numbers', () => {
  expect(reasonOf('video codec is HEVC; H.264 is accepted')).toEqual({
    code: 'video_codec',
    params: { codec: 'HEVC' },
  });
  expect(reasonOf('there are 100 open invitations: revoke some of them')).toMatchObject({
    params: { limit: 100 },
  });
});

test('the field before a message is a separate property of its reason, unless it is a part of the message', () => {
  expect(reasonOf('profiles[0].width: must be at least 128')).toEqual({
    code: 'too_small',
    params: { limit: 128 },
    field: 'profiles[0].width',
  });
  expect(
    reasonOf('storage: 9 GB of 10 GB are used. Delete assets, or ask the operator of this service for more.'),
  ).toEqual({ code: 'quota_storage', params: { used: '9 GB', limit: '10 GB' } });
});

test('a nested reason has its own code', () => {
  expect(
    reasonOf('rendition "720p" is paused: this machine is too slow for it; it will be retried later'),
  ).toEqual({
    code: 'rendition_paused',
    params: { name: '720p', reason: 'this machine is too slow for it' },
    cause: { code: 'machine_too_slow', params: {} },
  });
});

test('messages of other servers and very long messages have no code', () => {
  expect(reasonOf('Mind the gap')).toBeNull();
  expect(reasonOf('name: mind the gap')).toBeNull();
  expect(reasonOf(`the target refused the stream: ${'x'.repeat(3_000)}`)).toBeNull();
  expect(reasonOf('')).toBeNull();
  expect(reasonsOf(['Mind the gap'])).toBeUndefined();
  expect(reasonsOf(['Mind the gap', 'not found'])).toEqual([null, { code: 'not_found', params: {} }]);
});

describe('every message has its own code, for several parameters', () => {
  test.each(Object.entries(errorMessages))('the message with the code %s', (code, template) => {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    for (const value of ['7', '"a b"', 'x (y), z']) {
      // `{json}` stands for a JSON value, and this text is none.
      if (names.includes('json') && value.startsWith('x')) continue;
      const message = template.replaceAll(/\{\w+\}/g, value);
      expect(reasonOf(message)?.code, message).toBe(code);
    }
  });
});

test('the body of an error has the field and the reason of each message at its index', () => {
  const issue = { field: 'profiles[0].width', message: 'must be at least 128' };
  expect(createErrorBody([issue, 'Mind the gap'])).toEqual({
    errors: ['profiles[0].width: must be at least 128', 'Mind the gap'],
    fields: [issue, null],
    reasons: [{ code: 'too_small', params: { limit: 128 }, field: 'profiles[0].width' }, null],
  });
  expect(createErrorBody(['Mind the gap'])).toEqual({ errors: ['Mind the gap'] });
});
