import { expect, it, test } from 'vitest';
import { asSentence, otherErrorMessages, errorMessageFor } from './server-messages';

test.each([
  ['the file is not an MP4', 'The file is not an MP4.'],
  ['Not now.', 'Not now.'],
  ['why?', 'Why?'],
])('%s', (reason, sentence) => expect(asSentence(reason)).toBe(sentence));

const errorMessages = [
  'name: must not be empty',
  'allowedOrigins[0]: must be scheme://host[:port] for example https://example.com, or * for any origin',
  'the service is busy: try again',
];

it('a sentence goes to the field that it names', () => {
  expect(errorMessageFor('name', errorMessages)).toBe('Must not be empty');
  expect(errorMessageFor('allowedOrigins', errorMessages)).toMatch(/^Must be scheme:\/\/host/);
  expect(errorMessageFor('email', errorMessages)).toBeUndefined();
});

it('what no field takes is said at the form', () => {
  expect(otherErrorMessages(['name', 'allowedOrigins'], errorMessages)).toBe(
    'The service is busy: try again',
  );
  expect(otherErrorMessages(['allowedOrigins'], errorMessages)).toContain('Name: must not be empty');
  expect(otherErrorMessages(['name'], [])).toBeUndefined();
});
