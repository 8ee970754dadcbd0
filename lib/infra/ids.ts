import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const base36 = '0123456789abcdefghijklmnopqrstuvwxyz';
const base62 = `${base36}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;

function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** UUID v4: the id of every object. */
export const newId = (): string => randomUUID();

/** Whether a text can be an id: PostgreSQL refuses to compare others. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** 16 base-36 characters, unique across streams and assets; public. */
export const newPlaybackId = (): string => randomText(base36, 16);

/** Four groups of four base-36 characters (82 random bits): the secret that allows a publish. */
export const newStreamKey = (): string => Array.from({ length: 4 }, () => randomText(base36, 4)).join('-');

/** 32 base-62 characters (190 random bits): the random part of an API key. */
export const newKeyBody = (): string => randomText(base62, 32);

/** 32 random bytes as Standard Webhooks spells them: what signs the deliveries of one webhook. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
