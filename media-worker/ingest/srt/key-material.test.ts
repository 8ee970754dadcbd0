import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseKeyMaterial, StreamCipher } from './key-material';
import type { DataPacket } from './srt-packet';
import { CallerKeys } from './testing/caller-keys';

const passphrase = 'a secret phrase';

const dataPacket = (sequence: number, key: DataPacket['keySlot'], payload: Buffer): DataPacket => ({
  kind: 'data',
  sequence,
  keySlot: key,
  isRetransmitted: false,
  timestampUs: 0,
  destination: 1,
  payload,
});

async function createCipher(keys: CallerKeys): Promise<StreamCipher> {
  const cipher = new StreamCipher(passphrase);
  const material = parseKeyMaterial(keys.keyMaterialMessage);
  expect(material && (await cipher.installKeys(material))).toBe(true);
  return cipher;
}

it.each([16, 24, 32])('decrypts packets that are encrypted with keys of %d bytes', async (keyBytes) => {
  const keys = new CallerKeys(passphrase, keyBytes);
  const cipher = await createCipher(keys);
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), fc.uint8Array({ maxLength: 1_500 }), (sequence, bytes) => {
      const cipherText = keys.encrypt(sequence, Buffer.from(bytes));
      expect(cipher.decrypt(dataPacket(sequence, 'even', cipherText))).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 20 },
  );
});

it('decrypts with the previous and the next key after a key change, and with no other', async () => {
  const keys = new CallerKeys(passphrase, 16);
  const cipher = await createCipher(keys);
  const payload = Buffer.from('a packet');
  const cipherTextBefore = keys.encrypt(7, payload);
  expect(cipher.decrypt(dataPacket(8, 'odd', cipherTextBefore))).toBeNull();
  const material = parseKeyMaterial(keys.changeKey());
  expect(material?.slots).toEqual(['even', 'odd']);
  expect(material && (await cipher.installKeys(material))).toBe(true);
  expect(cipher.decrypt(dataPacket(8, 'odd', keys.encrypt(8, payload)))).toEqual(payload);
  expect(cipher.decrypt(dataPacket(7, 'even', cipherTextBefore))).toEqual(payload);
  for (const key of [null, 'both'] as const) expect(cipher.decrypt(dataPacket(8, key, payload))).toBeNull();
});

it('rejects keys that are wrapped with another passphrase', async () => {
  const material = parseKeyMaterial(new CallerKeys('another phrase', 16).keyMaterialMessage);
  expect(material && (await new StreamCipher(passphrase).installKeys(material))).toBe(false);
});

it('rejects damaged messages', () => {
  const { keyMaterialMessage: message } = new CallerKeys(passphrase, 24);
  for (let length = 0; length < message.length; length += 1)
    expect(parseKeyMaterial(message.subarray(0, length))).toBeNull();
  // Version and packet type, signature, cipher, salt length and key length.
  for (const offset of [0, 1, 8, 14, 15]) {
    const changedMessage = Buffer.from(message);
    changedMessage.writeUInt8(changedMessage.readUInt8(offset) ^ 0x05, offset);
    expect(parseKeyMaterial(changedMessage)).toBeNull();
  }
});
