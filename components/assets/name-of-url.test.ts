import { expect, test } from 'vitest';
import { nameOfUrl } from './name-of-url';

test.each([
  ['https://files.example/a/Town%20hall.mp4?signature=x', 'Town hall'],
  [' https://files.example/film.mp4 ', 'film'],
  ['https://files.example/100%.mp4', '100%'],
  ['https://files.example/folder/', 'folder'],
  ['https://files.example', 'Import'],
  ['https://files.example/.mp4', 'Import'],
  ['nonsense', 'Import'],
  ['', 'Import'],
])('%s is called %s', (url, name) => expect(nameOfUrl(url)).toBe(name));
