import { expect, it, test } from 'vitest';
import { asSentence, otherErrorMessages, errorMessageFor } from './server-messages';

test.each([
  ['the file is not an MP4', 'The file is not an MP4.'],
  ['Not now.', 'Not now.'],
  ['why?', 'Why?'],
  ['live.example.com does not resolve', 'live.example.com does not resolve.'],
])('the message "%s" becomes the sentence "%s"', (message, sentence) =>
  expect(asSentence(message)).toBe(sentence),
);

const issues = [
  { field: 'name', message: 'must not be empty' },
  {
    field: 'allowedOrigins[0]',
    message: 'must be scheme://host[:port] for example https://example.com, or * for any origin',
  },
  { field: 'playbackPolicy.password', message: 'is too well known' },
  'the service is busy: try again',
];

it('an issue is shown at the form field for its path', () => {
  expect(errorMessageFor('name', issues)).toBe('Must not be empty');
  expect(errorMessageFor('allowedOrigins', issues)).toMatch(/^Must be scheme:\/\/host/);
  expect(errorMessageFor('playbackPolicy.password', issues)).toBe('Is too well known');
  expect(errorMessageFor(['link', 'playbackPolicy'], issues)).toBe('Is too well known');
  expect(errorMessageFor('email', issues)).toBeUndefined();
  expect(errorMessageFor('nam', issues)).toBeUndefined();
});

it('an error without a field is shown at the form', () => {
  expect(otherErrorMessages(['name', 'allowedOrigins', 'playbackPolicy'], issues)).toBe(
    'The service is busy: try again',
  );
  expect(otherErrorMessages(['allowedOrigins'], issues)).toContain('Name: must not be empty');
  expect(otherErrorMessages(['name'], [])).toBeUndefined();
});
