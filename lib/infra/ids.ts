import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const base36 = '0123456789abcdefghijklmnopqrstuvwxyz';
const base62 = `${base36}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;

function createRandomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Creates the id of an object, a UUID v4. */
export const newId = (): string => randomUUID();

/** Whether a text is a UUID. PostgreSQL rejects comparisons of UUID columns with other texts. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** Creates a public playback id of 16 base-36 characters, unique across streams and assets. */
export const newPlaybackId = (): string => createRandomText(base36, 16);

/** Creates a secret stream key: four groups of four base-36 characters (82 random bits). */
export const newStreamKey = (): string =>
  Array.from({ length: 4 }, () => createRandomText(base36, 4)).join('-');

/** Creates the random part of an API key: 32 base-62 characters (190 random bits). */
export const newKeyBody = (): string => createRandomText(base62, 32);

/** Creates the signing secret of a webhook: 32 random bytes in the format of Standard Webhooks. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
