import { expect, test } from 'vitest';
import { asSentence } from './as-sentence';

test.each([
  ['the file is not an MP4', 'The file is not an MP4.'],
  ['Not now.', 'Not now.'],
  ['why?', 'Why?'],
])('%s', (reason, sentence) => expect(asSentence(reason)).toBe(sentence));
