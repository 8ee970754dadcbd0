import { expect, test } from 'vitest';
import { embedOptions } from './embed-options';

const on = { autoplay: true, muted: true, controls: true };

test.each([
  [{}, on],
  [{ autoplay: '', muted: '1', controls: 'true' }, on],
  [{ autoplay: '0' }, { ...on, autoplay: false }],
  [
    { muted: 'FALSE', controls: 'no' },
    { autoplay: true, muted: false, controls: false },
  ],
  [{ autoplay: ['1', '0'] }, { ...on, autoplay: false }],
  [{ autoplay: 'perhaps', other: '0' }, on],
])('%j', (query, options) => expect(embedOptions(query)).toEqual(options));
